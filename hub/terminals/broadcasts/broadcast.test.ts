import { HubMessage } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { broadcastOf } from "./broadcast.ts";

const holder = { terminalId: "one", userName: "Ana", role: "editor", expiresAt: "2026-01-01T00:00:00.000Z" } as const;
const snapshot = {
  posReference: 'A"1',
  status: "open",
  orderType: "takeout",
  tableId: null,
  guestCount: 1,
  createdAt: "x",
  updatedAt: "x",
  lines: [],
  totals: { subtotal: 0, tax: 0, total: 0 },
} as const;
const order = {
  posReference: 'A"1',
  version: 1,
  tableId: null,
  terminalId: "one",
  createdAt: "x",
  updatedAt: "x",
  snapshot: { ...snapshot, lines: [] },
};

describe("broadcasts", () => {
  it("an order broadcast carries the order as it was serialized once [ORDER-18]", () => {
    const wire = JSON.stringify({ ...order, forward: { state: "none" } });
    const versionKind = "created";
    const broadcast = broadcastOf({
      kind: "order.stored",
      seq: 7,
      event: versionKind,
      versionKind,
      origin: "one",
      order,
      wire,
    });
    expect(broadcast).toMatchObject({ seq: 7, except: null, only: null });
    expect(HubMessage.parse(JSON.parse(broadcast?.text ?? ""))).toEqual({
      type: "ORDER_CHANGED",
      seq: 7,
      posReference: 'A"1',
      version: 1,
      origin: "one",
      order: { ...order, forward: { state: "none" } },
    });
  });

  it("lease changes are sent to other terminals, and a revocation to the holder [LEASE-5, LEASE-6]", () => {
    const changed = broadcastOf({ kind: "lease.changed", posReference: "A", holder, by: "one" });
    expect(changed).toMatchObject({ seq: null, except: "one", only: null });
    const revoked = broadcastOf({
      kind: "lease.revoked",
      posReference: "A",
      from: "one",
      by: { terminalId: "boss", userName: "Eva" },
    });
    expect(revoked).toMatchObject({ seq: null, except: null, only: "one" });
    for (const broadcast of [changed, revoked]) HubMessage.parse(JSON.parse(broadcast?.text ?? ""));
  });
});

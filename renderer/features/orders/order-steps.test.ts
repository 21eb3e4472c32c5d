import type { OrderDetail, TimelineEntry, VersionKind } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { orderSteps } from "./order-steps.ts";

const at = (minute: number) => `2026-11-22T20:0${minute}:00.000Z`;

type Snapshot = OrderDetail["order"]["snapshot"];

function detail(snapshot: Partial<Snapshot> = {}, more: Partial<OrderDetail> = {}, forward = {}): OrderDetail {
  return {
    order: {
      posReference: "A",
      version: 1,
      tableId: null,
      terminalId: "till",
      createdAt: at(0),
      updatedAt: at(0),
      forward: { state: "none", ...forward },
      snapshot: {
        posReference: "A",
        status: "open",
        orderType: "takeout",
        tableId: null,
        guestCount: 1,
        createdAt: at(0),
        updatedAt: at(0),
        lines: [],
        totals: { subtotal: 1, tax: 0, total: 1 },
        ...snapshot,
      },
    },
    removed: false,
    lease: null,
    payments: [],
    creditNotes: [],
    ...more,
  };
}

const ticket = { ticketId: "t", by: "Ana", stationName: "Bar", items: 1, quantity: 1, late: false } as const;
const sent = (minute: number, ticketId = "t"): TimelineEntry => ({
  kind: "ticket_sent",
  at: at(minute),
  ...ticket,
  ticketId,
});
const ticketSeen = (minute: number, ticketId = "t"): TimelineEntry => ({
  kind: "ticket_seen",
  at: at(minute),
  ticketId,
  stationId: "s",
  stationName: "Bar",
});
const version = (kind: VersionKind, minute: number): TimelineEntry => ({
  kind: "version",
  at: at(minute),
  version: {
    version: minute + 1,
    at: at(minute),
    kind,
    origin: "till",
    userName: null,
    status: "paid",
    total: 1,
    facts: [],
  },
});

const states = (...args: Parameters<typeof orderSteps>) => orderSteps(...args).map(({ state }) => state);

describe("steps of an order", () => {
  it("the steps of an order go from opened to accounting, with the time of each [UI-213]", () => {
    expect(states(detail(), [])).toEqual(["done", "now", "later", "later", "later"]);
    expect(states(detail({ status: "sent" }), [sent(1)])).toEqual(["done", "done", "now", "later", "later"]);
    expect(states(detail({ status: "checkout" }), [sent(1), ticketSeen(2)])).toEqual([
      "done",
      "done",
      "done",
      "now",
      "later",
    ]);
    const paid = [sent(1), ticketSeen(2), version("paid", 3)];
    expect(states(detail({ status: "paid" }, {}, { state: "pending" }), paid)).toEqual([
      "done",
      "done",
      "done",
      "done",
      "now",
    ]);
    const closed = [...paid, version("closed", 4)];
    expect(orderSteps(detail({ status: "closed" }, {}, { state: "done" }), closed)).toEqual([
      { name: "opened", state: "done", at: at(0) },
      { name: "kitchen", state: "done", at: at(1) },
      { name: "seen", state: "done", at: at(2) },
      { name: "paid", state: "done", at: at(3) },
      { name: "accounting", state: "done", at: at(4) },
    ]);
  });

  it("a step waits for a station that has not seen its ticket, and for changes after sending [UI-213]", () => {
    expect(states(detail({ status: "sent" }), [sent(1), sent(1, "u"), ticketSeen(2)])).toEqual([
      "done",
      "done",
      "now",
      "later",
      "later",
    ]);
    expect(states(detail({ status: "changed" }), [sent(1), ticketSeen(2)])).toEqual([
      "done",
      "now",
      "done",
      "later",
      "later",
    ]);
  });

  it("steps that are not needed are skipped [UI-213]", () => {
    expect(states(detail({ status: "paid" }, {}, { state: "pending" }), [])).toEqual([
      "done",
      "skipped",
      "skipped",
      "done",
      "now",
    ]);
    expect(states(detail({}, { removed: true }), [])).toEqual(["done", "skipped", "skipped", "skipped", "skipped"]);
  });

  it("a step fails if a payment was not applied, the back-office refused, or the number is missing [UI-213]", () => {
    const payments = [{ settled: null }] as OrderDetail["payments"];
    expect(states(detail({}, { payments }), [])[3]).toBe("failed");
    expect(states(detail({ status: "paid" }, {}, { state: "attention" }), [])[4]).toBe("failed");
    const fiscal = { status: "failed" } as const;
    expect(states(detail({ status: "paid", fiscal }, {}, { state: "pending" }), [])[4]).toBe("failed");
  });
});

import type { Snapshot, StoredOrder } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { matcherOf } from "@comanda/ui/search.ts";
import { describe, expect, it } from "vitest";
import { paidChecks, withNextPage } from "../../checks/paid-checks.ts";
import { searchTexts } from "../../checks/search-texts.ts";

function snapshotOf(posReference: string, at: string, more: Partial<Snapshot> = {}): Snapshot {
  return {
    posReference,
    status: "paid",
    orderType: "dine_in",
    tableId: 31,
    guestCount: 1,
    createdAt: at,
    updatedAt: at,
    lines: [],
    totals: { subtotal: 100, tax: 28, total: 128 },
    paidAt: at,
    ...more,
  };
}

function here(snapshot: Snapshot, pending = 0): LocalOrder {
  const { posReference, tableId } = snapshot;
  return {
    posReference,
    version: 2,
    tableId,
    snapshot,
    pending,
    isSendPending: false,
    isPaymentPending: false,
    paymentRefused: false,
    origin: null,
    forward: undefined,
  };
}

function listed(...snapshots: Snapshot[]) {
  const orders = snapshots.map((snapshot) => ({ posReference: snapshot.posReference, snapshot }) as StoredOrder);
  return { orders, asOf: "2026-11-22T20:00:00.000Z" };
}

const early = snapshotOf("A", "2026-11-22T18:00:00.000Z");
const late = snapshotOf("B", "2026-11-22T20:05:00.000Z");
const yesterday = snapshotOf("C", "2026-11-21T22:00:00.000Z");

describe("the paid checks", () => {
  it("recent checks are those that the hub lists and those seen here since, the newest first [TOUCH-86]", () => {
    const numbered = { ...early, ncf: "E320000000001" };
    const checks = paidChecks([here(numbered), here(late), here(yesterday)], listed(early));
    expect(checks.map(({ posReference }) => posReference)).toEqual(["B", "A"]);
    expect(checks[1]?.snapshot.ncf).toBe("E320000000001");
  });

  it("without the hub, recent checks are those stored here, always including unsent ones [TOUCH-86]", () => {
    const open = snapshotOf("D", "2026-11-22T20:06:00.000Z", { status: "sent" });
    const offline = paidChecks([here(early), here(late), here(yesterday), here(open)], null);
    expect(offline.map(({ posReference }) => posReference)).toEqual(["B", "A", "C"]);
    const unsent = { ...early, posReference: "E" };
    expect(paidChecks([here(unsent, 1)], listed()).map(({ posReference }) => posReference)).toEqual(["E"]);
  });

  it("reading a later page keeps checks seen here since the first page [TOUCH-86]", () => {
    const first = { ...listed(early), nextCursor: "1" };
    const all = withNextPage(first, { ...listed(yesterday), asOf: "2026-11-22T20:10:00.000Z", nextCursor: null });
    expect(all.nextCursor).toBeNull();
    const checks = paidChecks([here(late)], all);
    expect(checks.map(({ posReference }) => posReference)).toEqual(["B", "A", "C"]);
  });

  it("recent checks are found by number, amount, fiscal number and staff [TOUCH-87]", () => {
    const more = {
      checkNumber: 12,
      ncf: "E320000004711",
      staffName: "José Núñez",
      ticketNumber: "T-9",
      paidBy: "Carla",
    };
    const [check] = paidChecks([here(snapshotOf("A", "2026-11-22T18:00:00.000Z", more))], null);
    const texts = check === undefined ? [] : searchTexts(check.snapshot);
    for (const search of ["4711", "128.00", "nunez", "t-9", "12", "carla 128"]) {
      expect(matcherOf(search)(...texts), search).toBe(true);
    }
    expect(matcherOf("4712")(...texts)).toBe(false);
  });
});

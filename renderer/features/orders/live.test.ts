import type { OrderPage, OrderRow } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { withOrders } from "./live.ts";

function order(posReference: string, fields: Partial<OrderRow> = {}): OrderRow {
  return {
    posReference,
    version: 1,
    status: "open",
    removed: false,
    orderType: "dine_in",
    tableId: 1,
    checkNumber: 1,
    ticketNumber: null,
    customerName: null,
    staffName: null,
    guestCount: 1,
    itemCount: 1,
    totals: { subtotal: 100, tax: 0, total: 100 },
    createdAt: "2026-11-21T20:00:00.000Z",
    updatedAt: "2026-11-21T20:00:00.000Z",
    origin: "tablet-1",
    forward: { state: "none" },
    unappliedPayment: false,
    lease: null,
    ...fields,
  };
}

function pagesOf(...orders: OrderRow[]) {
  const page: OrderPage = { orders, nextCursor: null, total: orders.length };
  return { pages: [page], pageParams: [null] };
}
const changes = (...orders: OrderRow[]) => new Map(orders.map((one) => [one.posReference, one]));
const names = (result: ReturnType<typeof withOrders>) =>
  result.pages.flatMap((page) => page.orders.map((one) => one.posReference));

describe("a list of orders under the stream", () => {
  it("[UI-3] moves a changed order to the top, once", () => {
    const result = withOrders(
      pagesOf(order("A"), order("B")),
      { status: "active" },
      changes(order("B", { version: 2 })),
      new Set(),
    );
    expect(names(result)).toEqual(["B", "A"]);
    expect(result.pages[0]?.total).toBe(2);
  });

  it("[UI-3] removes a paid order from the open ones and from their count", () => {
    const result = withOrders(
      pagesOf(order("A"), order("B")),
      { status: "active" },
      changes(order("A", { status: "paid" })),
      new Set(),
    );
    expect(names(result)).toEqual(["B"]);
    expect(result.pages[0]?.total).toBe(1);
  });

  it("[UI-288] keeps paid orders whose number was refused among those with a problem, until they have one", () => {
    const refused = order("A", { status: "paid", missingNumber: "failed" });
    const waiting = order("B", { status: "paid", missingNumber: "pending" });
    const listed = withOrders(pagesOf(), { status: "attention" }, changes(refused, waiting), new Set());
    expect(names(listed)).toEqual(["A"]);
    const numbered = changes(order("A", { status: "paid" }));
    expect(names(withOrders(listed, { status: "attention" }, numbered, new Set()))).toEqual([]);
  });

  it("[UI-3] removes a discarded order", () => {
    expect(names(withOrders(pagesOf(order("A")), { status: "active" }, changes(), new Set(["A"])))).toEqual([]);
  });

  it("[UI-3] adds nothing to a search, and keeps its results up to date", () => {
    const found = withOrders(
      pagesOf(order("A")),
      { status: "all", search: "x" },
      changes(order("N"), order("A", { version: 9 })),
      new Set(),
    );
    expect(names(found)).toEqual(["A"]);
    expect(found.pages[0]?.orders[0]?.version).toBe(9);
  });
});

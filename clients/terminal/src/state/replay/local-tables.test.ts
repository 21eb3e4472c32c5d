import { describe, expect, it } from "vitest";
import { content, entry, storedOrder, table } from "../../../test/builders.ts";
import { shownOrder } from "../../../test/local-state.ts";
import type { LocalOrder } from "../../orders/local-order.ts";
import { localTables } from "./local-tables.ts";

const now = Date.parse("2026-11-21T20:00:00.000Z");

function shownOnTable(tableId: number): LocalOrder {
  const next = content([], { tableId });
  const order = shownOrder("A", undefined, [entry({ type: "ORDER_UPSERT", posReference: "A", base: null, next })]);
  if (order === undefined) throw new Error("a new order is shown");
  return order;
}

describe("localTables", () => {
  it("a table is occupied once this device has opened an order on it [CLIENT-24]", () => {
    const orders = { shown: [shownOnTable(4)], onHub: [] };
    expect(localTables([table(4), table(5)], orders, now).map(({ tableId, status }) => [tableId, status])).toEqual([
      [4, "occupied"],
      [5, "available"],
    ]);
    expect(localTables([], orders, now)).toMatchObject([{ tableId: 4, status: "occupied", posReference: "A" }]);
  });

  it("a table is free once this device has paid its last order [CLIENT-24]", () => {
    const stored = storedOrder("A", 1, content([], { tableId: 4 }));
    const orders = { shown: [], onHub: [stored] };
    expect(localTables([table(4, { status: "occupied" })], orders, now)).toMatchObject([{ status: "available" }]);
  });

  it("an expired lock reads as null [CLIENT-24]", () => {
    const lock = { userName: "Ana", terminalId: "t1", expiresAt: "2026-11-21T20:00:00.000Z" };
    const orders = { shown: [], onHub: [] };
    const locks = [now - 1, now].map((at) => localTables([table(4, { lock })], orders, at)[0]?.lock);
    expect(locks).toEqual([lock, null]);
  });
});

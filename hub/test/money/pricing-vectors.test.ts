import { orderOfVector, orderVectors, type OrderVector } from "@comanda/rules/test/pricing-vectors.ts";
import { expect, it } from "vitest";
import { broadcastOrder } from "../support/broadcast-order.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

/** Vectors that a terminal can send: no negative quantities, and at least one charged line. */
const sendable = orderVectors.filter(
  ({ lines }) =>
    lines.some(({ voided, voidedQuantity = 0, quantity }) => voided !== true && voidedQuantity < quantity) &&
    lines.every(({ quantity }) => quantity >= 0),
);

it("the priced order of every vector is accepted, and the back-office books its total [PRICE-15]", async () => {
  const hub = await startTestHub({ ownBackOffice: true });
  await hub.backOffice.control("POST", "/quirks", { verifyTotals: true });
  const till = await hub.terminal({ login: "cashier" });
  expect(sendable.length).toBeGreaterThan(60);
  const expected = new Map<string, number>();
  const sell = async (vector: OrderVector, index: number): Promise<void> => {
    const posReference = `VECTOR/${index}`;
    const order = orderOfVector(vector);
    const { total } = order.totals;
    const tableId = order.orderType === "dine_in" ? 28 : null;
    await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: { ...order, tableId } });
    expect((await broadcastOrder(till, posReference, 1)).snapshot.totals).toEqual(order.totals);
    // A total of zero needs no payment.
    const payments = total === 0 ? [] : [{ methodId: 1, amount: total }];
    await till.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments });
    expected.set(posReference, total);
  };
  const all = sendable.map((vector, index) => ({ vector, index, isAtTable: vector.orderType === "dine_in" }));
  await Promise.all(all.filter((sale) => !sale.isAtTable).map(({ vector, index }) => sell(vector, index)));
  // Checks of one table are sold one after the other.
  for (const { vector, index } of all.filter((sale) => sale.isAtTable)) await sell(vector, index);

  const booked = await until(
    "every order to be booked",
    async () => {
      const { orders } = (await hub.backOffice.control("GET", "/orders")) as {
        orders: { posReference: string; status: string; total: number }[];
      };
      return orders.length === expected.size ? orders : undefined;
    },
    20_000,
  );
  expect(new Map(booked.map(({ posReference, total }) => [posReference, total]))).toEqual(expected);
});

it("a check keeps its lines when the back-office changes a price [PRICE-18]", async () => {
  const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
  const waiter = await hub.terminal();
  const lines = [{ id: "a", productId: 108, quantity: 2, unitPrice: 450, total: 1062, taxAmount: 162 }];
  const snapshot = { orderType: "takeout", lines, totals: { subtotal: 900, tax: 162, total: 1062 } };
  await waiter.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot });
  await hub.backOffice.control("POST", "/product-price", { productId: 108, price: 999 });
  await waiter.next("MENU_CHANGED");
  await waiter.change({ type: "ORDER_SEND", posReference: "A" });
  const { snapshot: sent } = await broadcastOrder(waiter, "A", 2);
  expect(sent.lines).toMatchObject(lines);
  expect(sent.totals).toEqual(snapshot.totals);
});

import { expect, it, onTestFinished } from "vitest";
import type { SalesReport } from "@comanda/protocol";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { readBackOfficeConfig, setBackOfficeConfig } from "../support/back-office-config.ts";
import { until } from "../support/until.ts";
import { current, enrolAt, startRealHeadquarters } from "./real-headquarters.ts";

/** A dish of 450.00 each plus 18 % ITBIS (81.00). */
const bandera = (id: string, charged: number, more: object) => ({
  id,
  productId: 108,
  quantity: 2,
  unitPrice: 450,
  taxIds: [1],
  taxAmount: 81 * charged,
  total: 531 * charged,
  ...more,
});

it("headquarters count discounts and voids as the hub's sales report does, with its menu's taxes [CHAIN-58, HQ-33]", async () => {
  const headquarters = await startRealHeadquarters();
  onTestFinished(headquarters.stop);
  const hub = await startTestHub({ env: { HUB_STATE_POLL_MS: "200" } });
  const operator = operatorOf(hub);
  await until("the menu is read", async () => (await hub.send("GET", "/health")).body["lastErpSync"]);
  // The back-office has many more taxes than the checks use.
  const config = await readBackOfficeConfig(hub);
  const unused = Array.from({ length: 120 }, (_, index) => ({ ...config.taxes[0], id: 1_000 + index }));
  await setBackOfficeConfig(hub, { ...config, taxes: [...config.taxes, ...unused] });
  await until("they are read", async () => (await operator("catalogue")).body.taxes.length > 120);
  await enrolAt(headquarters, hub, "naco");
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  const write = (posReference: string, lines: object[]) =>
    till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot({ lines }) });
  await write("paid", [
    bandera("half", 1, { discount: { percent: 50 } }),
    bandera("extra", 1.5, { modifiers: [{ id: 1, name: "Aguacate", price: 225 }], discount: { percent: 50 } }),
    bandera("foreign", 0.5, { discount: { value: 50 } }),
    bandera("void", 0, { voidedQuantity: 2 }),
  ]);
  const payments = [{ methodId: 1, amount: 531 * 3 }];
  await till.change({ type: "ORDER_PAY", posReference: "paid", baseVersion: 1, payments });
  await write("discarded", [
    bandera("half", 1, { discount: { percent: 50 } }),
    bandera("void", 0, { voidedQuantity: 2 }),
  ]);
  await till.change({ type: "ORDER_SEND", posReference: "discarded" });
  await till.change({ type: "ORDER_DISCARD", posReference: "discarded", baseVersion: 2 });
  await current(hub);

  const { totals, discounts, voids } = (await operator("sales")).body as SalesReport;
  expect([discounts.amount, voids.amount]).toEqual([531 * 4, 531 * 3]);
  const [here] = await headquarters.database.query(
    `SELECT sum(paid_cents) / 100.0 AS paid, sum(discount_cents) / 100.0 AS discounts, sum(void_cents) / 100.0 AS voids
     FROM sales_hours`,
  );
  const numbers = Object.fromEntries(Object.entries(here as object).map(([name, value]) => [name, Number(value)]));
  expect(numbers).toEqual({ paid: totals.paidAmount, discounts: discounts.amount, voids: voids.amount });
});

import { expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

it("order totals follow creations, payments and discards, and no refused write [OP-91]", async () => {
  const hub = await startTestHub();
  const call = operatorOf(hub);
  const till = await hub.terminal({ login: "cashier" });
  const totals = async () => {
    const pages = ["all", "paid", "removed"].map((status) => call("orders", { query: { status, limit: 1 } }));
    return (await Promise.all(pages)).map(({ body }) => body.total);
  };
  const upsert = (posReference: string) =>
    till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
  for (const posReference of ["A", "B", "C", "D"]) await upsert(posReference);
  for (const posReference of ["A", "B"]) {
    await till.change({ type: "ORDER_DISCARD", posReference, baseVersion: 1, reason: "test" });
  }
  await upsert("A").catch(() => undefined);
  const pay = { type: "ORDER_PAY", payments: [{ methodId: 1, amount: 100 }] };
  await Promise.all(["C", "D"].map((posReference) => till.change({ ...pay, posReference, baseVersion: 1 })));
  await until("both are booked", async () => (await hub.send("GET", "/health")).body.totalForwarded === 2);
  expect(await totals()).toEqual([4, 2, 2]);
  await hub.restart();
  expect(await totals()).toEqual([4, 2, 2]);
});

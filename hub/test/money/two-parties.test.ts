import { expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const CARD = 2;

const dish = (id: string, total: number) => ({ id, productId: 101, quantity: 1, unitPrice: total, total });
const at5 = (...lines: ReturnType<typeof dish>[]) => terminalSnapshot({ orderType: "dine_in", tableId: 5, lines });

it("two parties pay apart, merged and split again, and late money waits for a manager [RULE-50]", async () => {
  const hub = await startTestHub();
  await until("the menu is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  const other = await hub.terminal({ login: "cashier", deviceId: "other" });
  const versions = new Map<string, number>();
  const write = async (...contents: [posReference: string, ...lines: ReturnType<typeof dish>[]][]) => {
    const orders = contents.map(([posReference, ...lines]) => ({
      posReference,
      baseVersion: versions.get(posReference) ?? 0,
      snapshot: at5(...lines),
    }));
    const answer = await till.change({ type: "ORDER_BATCH", additionalCheck: true, orders });
    for (const { posReference, version } of answer["orders"] as { posReference: string; version: number }[]) {
      versions.set(posReference, version);
    }
  };
  const take = async (by: typeof till, posReference: string, amount: number, seenDue?: number) => {
    const tenderId = crypto.randomUUID();
    const answer = await by.change({ type: "ORDER_TENDER", tenderId, posReference, methodId: CARD, amount, seenDue });
    versions.set(posReference, answer["version"] as number);
    return { tenderId, status: answer["status"] };
  };

  await write(["A", dish("a1", 100), dish("a2", 33.33)]);
  await write(["B", dish("b1", 66.67)]);
  const ofA = await take(till, "A", 50.01);
  await take(other, "B", 20.02);
  expect(await refusal(write(["B", dish("b1", 66.67), dish("a1", 100), dish("a2", 33.33)], ["A"]))).toMatchObject({
    errorCode: "HAS_PAYMENTS",
    posReference: "A",
  });
  await till.change({ type: "ORDER_TENDER_VOID", tenderId: ofA.tenderId, reason: "juntas" });
  versions.set("A", 3);
  await write(["B", dish("b1", 66.67), dish("a1", 100), dish("a2", 33.33)], ["A"]);
  // Taken for A on a terminal that did not hear of the merge.
  expect(await refusal(take(other, "A", 83.32, 133.33))).toMatchObject({ kept: true });
  await hub.restart();
  const again = await hub.terminal({ login: "cashier", deviceId: "till" });
  expect((await operatorOf(hub)("payments")).body.payments).toMatchObject([{ posReference: "A", removed: {} }]);
  const orders = [
    { posReference: "B", baseVersion: versions.get("B"), snapshot: at5(dish("b1", 66.67)) },
    { posReference: "C", baseVersion: 0, snapshot: at5(dish("a1", 100), dish("a2", 33.33)) },
  ];
  await again.change({ type: "ORDER_BATCH", orders });
  expect(await take(again, "B", 46.65)).toMatchObject({ status: "paid" });
  expect(await take(again, "C", 133.33)).toMatchObject({ status: "paid" });
  expect((await operatorOf(hub)("closing")).body).toMatchObject({ openChecks: [] });
});

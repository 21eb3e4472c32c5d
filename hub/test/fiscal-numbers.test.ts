import { describe, expect, it } from "vitest";
import { broadcastOrder } from "./broadcast-order.ts";
import { terminalSnapshot } from "./builders.ts";
import type { TestTerminal } from "./connect-terminal.ts";
import { operatorOf } from "./operator.ts";
import { startTestHub } from "./start-test-hub.ts";

let count = 0;
/** A reference that no other test of this file uses: they share one back-office. */
const newReference = (): string => `FISC-${(count += 1)}`;

const open = (till: TestTerminal, posReference: string) =>
  till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });

const pay = (till: TestTerminal, posReference: string, over: Record<string, unknown> = {}) =>
  till.change({
    type: "ORDER_PAY",
    posReference,
    baseVersion: 1,
    payments: [{ methodId: 1, amount: 100 }],
    ...over,
  });

describe("a number that a terminal brings", () => {
  it("[FISC-20] is checked for its form, and the money of a refused one is kept", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const bad = [
      { ncf: "not-a-number" },
      { ncf: "B0200000001", fiscal: { type: "B01" } },
      { ncf: "E3100000001" },
      { ncf: "B9900000001" },
      { ncf: "X".repeat(40) },
    ];
    for (const [index, more] of bad.entries()) {
      const reference = newReference();
      await open(till, reference);
      await expect(pay(till, reference, more), JSON.stringify(more)).rejects.toMatchObject({
        errorCode: "NCF_INVALID",
      });
      const { body } = await operatorOf(hub)("order", { params: { posReference: reference } });
      expect(body).toMatchObject({ order: { version: 1, snapshot: { status: "open" } } });
      expect(body.payments).toMatchObject([{ errorCode: "NCF_INVALID", amount: 100 }]);
      expect((await operatorOf(hub)("payments")).body.total).toBe(index + 1);
    }
  });

  it("[FISC-21, FISC-22] is taken once in this hub, also when its order is closed", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [first, second] = [newReference(), newReference()];
    await open(till, first);
    await open(till, second);
    const paid = await pay(till, first, { ncf: "E320009000001", fiscal: { type: "E32", rnc: "101889901" } });
    expect(paid).toMatchObject({ ncf: "E320009000001", fiscal: { status: "assigned", type: "E32" } });
    expect((await broadcastOrder(till, first, 2)).snapshot).toMatchObject({
      status: "paid",
      ncf: "E320009000001",
      fiscal: { status: "assigned", type: "E32", rnc: "101889901" },
    });
    await till.next("ORDER_CHANGED", (news) => news.order.snapshot.status === "closed");
    await expect(pay(till, second, { ncf: "E320009000001" })).rejects.toMatchObject({ errorCode: "NCF_IN_USE" });
    expect((await operatorOf(hub)("payments")).body.payments).toMatchObject([
      { posReference: second, errorCode: "NCF_IN_USE" },
    ]);
  });
});

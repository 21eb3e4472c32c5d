import { expect, it } from "vitest";
import { line, terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";

it("a kept payment whose money was given back is settled [MONEY-60]", async () => {
  const hub = await startTestHub();
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  const waiter = await hub.terminal({ deviceId: "waiter" });
  const snapshot = terminalSnapshot({ lines: [line({ id: "a", unitPrice: 850, total: 850 })] });
  const paymentId = crypto.randomUUID();
  const payments = [{ methodId: 1, amount: 850 }];
  const pay = { type: "ORDER_PAY", posReference: "A", baseVersion: 0, paymentId, payments, snapshot };
  await expect(till.change(pay)).rejects.toMatchObject({ errorCode: "NOT_FOUND" });
  const listPayments = async (state: string) => (await operatorOf(hub)("payments", { query: { state } })).body.payments;
  expect(await listPayments("open")).toHaveLength(1);

  const giveBack = { type: "ORDER_TENDER_VOID", tenderId: paymentId, reason: "the guests left" };
  await expect(waiter.change(giveBack)).rejects.toMatchObject({ errorCode: "FORBIDDEN" });
  const answer = await till.change(giveBack);
  expect(answer).toMatchObject({ type: "ORDER_ACK", posReference: "A" });
  expect(answer).not.toHaveProperty("duplicate");
  expect(await listPayments("open")).toEqual([]);
  expect(await listPayments("settled")).toMatchObject([
    { settled: { note: { reason: "note_given_back", words: "the guests left" } } },
  ]);
  expect(await till.change(giveBack)).toMatchObject({ posReference: "A", duplicate: true });
  await expect(till.change({ ...giveBack, tenderId: crypto.randomUUID() })).rejects.toMatchObject({
    errorCode: "NOT_FOUND",
  });
});

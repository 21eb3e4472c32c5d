import { expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const quick = { HUB_STATE_POLL_MS: "200" };

let count = 0;
async function open(till: TestTerminal): Promise<string> {
  const posReference = `FX-${(count += 1)}`;
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
  return posReference;
}

const tender = (till: TestTerminal, posReference: string, rate: number, more: object = {}) =>
  till.change({
    type: "ORDER_TENDER",
    posReference,
    tenderId: crypto.randomUUID(),
    methodId: 1,
    amount: 100,
    foreign: { currency: "USD", amount: 2, rate },
    ...more,
  });

/** Changes a rate in the back-office and waits until the hub has read it. */
async function changeRate(hub: TestHub, rate: number): Promise<void> {
  await hub.backOffice.control("POST", "/currencies", { currencies: [{ code: "USD", rate, rounding: 5 }] });
  await until("the new rate", async () => {
    const token = await hub.signIn("cashier");
    const { body } = await hub.send("GET", "/terminal/v1/menu", { headers: { Authorization: `Bearer ${token}` } });
    return body.currencies?.some((currency: { rate: number }) => currency.rate === rate);
  });
}

it("dollars pay a check at the current rate, or at an earlier rate if queued before it changed [MONEY-130, MONEY-131, TILL-11]", async () => {
  const hub = await startTestHub({ env: quick, ownBackOffice: true });
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  await changeRate(hub, 58.75);
  const paid = await open(till);
  expect(await tender(till, paid, 58.75)).toMatchObject({ status: "paid" });
  const stored = (await hub.external().get(`/orders/${paid}`)).body;
  expect(stored.snapshot.payments).toMatchObject([
    { amount: 100, tendered: 120, change: 20, foreign: { currency: "USD", amount: 2, rate: 58.75 } },
  ]);

  expect((await operatorOf(hub)("noShift")).body.payments).toMatchObject([
    { posReference: paid, amount: 100, currency: "USD", foreignAmount: 2 },
  ]);

  const queuedAt = new Date().toISOString();
  await changeRate(hub, 60);
  const [late, queued] = [await open(till), await open(till)];
  expect(await tender(till, queued, 58.75, { queuedAt })).toMatchObject({ status: "paid" });
  const tenderId = crypto.randomUUID();
  await expect(tender(till, late, 58.75, { tenderId })).rejects.toMatchObject({
    errorCode: "RATE_CHANGED",
    rates: { currency: "USD", sent: 58.75, now: 60 },
    kept: true,
    retryable: false,
  });
  // A `queuedAt` after the rate change does not make the old rate valid.
  await expect(tender(till, late, 58.75, { queuedAt: new Date().toISOString() })).rejects.toThrow(/RATE_CHANGED/);
  expect(await tender(till, late, 60, { tenderId })).toMatchObject({ status: "paid" });
  const { body } = await operatorOf(hub)("payments");
  expect(body.payments).toHaveLength(1);
  await hub.restart();
  const again = await hub.terminal({ login: "cashier", deviceId: "till" });
  const afterRestart = await open(again);
  expect(await tender(again, afterRestart, 58.75, { queuedAt })).toMatchObject({ status: "paid" });
});

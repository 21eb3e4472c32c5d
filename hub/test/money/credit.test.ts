import { describe, expect, it } from "vitest";
import { broadcastOrder } from "../support/broadcast-order.ts";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestBackOffice, type TestHub, type TestHubOptions } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const check = "/pos-api/v1/customers/credit-check";
/** Customer with a credit limit of 5,000. */
const ANA = 52;
/** Customer without credit. */
const PEDRO = 54;
/** A method of type `pay_later`. */
const CREDIT = 3;

let count = 0;
const newReference = (): string => `CREDIT-${(count += 1)}`;

/** Starts a hub that has loaded the payment methods, with a back-office in which no customer has a debt. */
async function startHub(options: TestHubOptions = {}): Promise<{ hub: TestHub; till: TestTerminal }> {
  const env = { HUB_FORWARD_INTERVAL_MS: "60000", HUB_STATE_POLL_MS: "200", ...options.env };
  const hub = await startTestHub({ ownBackOffice: true, ...options, env });
  await until("the payment methods", async () => (await operatorOf(hub)("fiscal")).body.sequences !== null);
  return { hub, till: await hub.terminal({ login: "cashier", deviceId: "till" }) };
}

async function open(till: TestTerminal, total: number): Promise<string> {
  const posReference = newReference();
  const lines = [{ id: "a", productId: 101, quantity: 1, unitPrice: total, total }];
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot({ lines }) });
  return posReference;
}

async function owe(till: TestTerminal, customerId: number | undefined, amount: number): Promise<string> {
  const posReference = await open(till, amount);
  await pay(till, posReference, customerId, amount);
  return posReference;
}

const pay = (till: TestTerminal, posReference: string, customerId: number | undefined, amount: number, more = {}) =>
  till.change({
    type: "ORDER_PAY",
    posReference,
    baseVersion: 1,
    payments: [{ methodId: CREDIT, amount, customerId }],
    ...more,
  });

async function checksAt(backOffice: TestBackOffice): Promise<unknown[]> {
  const { requests } = (await backOffice.control("GET", "/requests")) as {
    requests: { path: string; body: unknown }[];
  };
  return requests.filter(({ path }) => path === check).map(({ body }) => body);
}

describe("credit", () => {
  it("a credit payment must name its customer [FISC-40]", async () => {
    const { hub, till } = await startHub();
    await expect(owe(till, undefined, 100)).rejects.toMatchObject({
      errorCode: "VALIDATION_ERROR",
      error: expect.stringContaining("customerId"),
    });
    expect(await checksAt(hub.backOffice)).toEqual([]);
  });

  it("credit is checked with the back-office once before it is accepted [FISC-41, FISC-44]", async () => {
    const { hub, till } = await startHub();
    const name = await open(till, 1_200);
    const mutationId = crypto.randomUUID();
    await pay(till, name, ANA, 1_200, { mutationId });
    expect(await checksAt(hub.backOffice)).toEqual([{ customerId: ANA, amount: 1_200 }]);
    expect((await broadcastOrder(till, name, 2)).snapshot.payments).toEqual([
      { methodId: CREDIT, amount: 1_200, customerId: ANA },
    ]);
    expect(await pay(till, name, ANA, 1_200, { mutationId })).toMatchObject({ duplicate: true });
    expect(await checksAt(hub.backOffice)).toHaveLength(1);
  });

  it("credit that the back-office refuses is neither accepted nor kept [FISC-41]", async () => {
    const { hub, till } = await startHub();
    const name = await open(till, 100);
    await expect(pay(till, name, PEDRO, 100)).rejects.toMatchObject({
      errorCode: "CREDIT_REFUSED",
      error: expect.stringContaining("0 is available"),
    });
    await expect(pay(till, name, 999, 100)).rejects.toMatchObject({
      errorCode: "CREDIT_REFUSED",
      error: "there is no customer 999",
    });
    const { body } = await operatorOf(hub)("order", { params: { posReference: name } });
    expect(body).toMatchObject({ order: { version: 1, snapshot: { status: "open" } }, payments: [] });
  });

  it("a credit check includes debts that are not forwarded yet [FISC-42]", async () => {
    const { hub, till } = await startHub();
    const first = await owe(till, ANA, 3_000);
    await expect(owe(till, ANA, 2_001)).rejects.toMatchObject({ errorCode: "CREDIT_REFUSED" });
    await owe(till, ANA, 1_000);
    await operatorOf(hub)("tryBackOffice");
    await till.next(
      "ORDER_CHANGED",
      (message) => message.posReference === first && message.order.snapshot.status === "closed",
    );
    await until("the others to be closed", async () => (await hub.send("GET", "/health")).body.pendingForward === 0);
    await owe(till, ANA, 1_000);
    await expect(owe(till, ANA, 1)).rejects.toMatchObject({ errorCode: "CREDIT_REFUSED" });
  });

  it("a customer's credit cannot be used twice at once [FISC-42]", async () => {
    const { till } = await startHub();
    const names = [await open(till, 3_000), await open(till, 3_000)];
    const outcomes = await Promise.allSettled(names.map((name) => pay(till, name, ANA, 3_000)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("unchecked credit is accepted up to the configured limit while the line is down [FISC-43]", async () => {
    const { hub, till } = await startHub({ env: { HUB_UNCHECKED_CREDIT: "500" } });
    const noChecks = { path: check, action: "drop-before" };
    await hub.backOffice.control("POST", "/faults", {
      faults: [noChecks, { path: "/pos-api/v1/hub/*", action: "drop-before" }],
    });
    const name = await owe(till, ANA, 300);
    expect((await broadcastOrder(till, name, 2)).snapshot.payments).toMatchObject([
      { customerId: ANA, isUnchecked: true },
    ]);
    await expect(owe(till, ANA, 201)).rejects.toMatchObject({ errorCode: "CREDIT_REFUSED" });
    await owe(till, PEDRO, 500);
    await owe(till, ANA, 200);
    await hub.restart();
    const again = await hub.terminal({ login: "cashier", deviceId: "till" });
    await expect(owe(again, ANA, 1)).rejects.toMatchObject({ errorCode: "CREDIT_REFUSED" });
    await hub.backOffice.control("POST", "/faults", { faults: [noChecks] });
    await operatorOf(hub)("tryBackOffice");
    await until("the orders to be closed", async () => (await hub.send("GET", "/health")).body.pendingForward === 0);
    await owe(again, ANA, 500);
  });

  it("unchecked credit is refused by default [FISC-43]", async () => {
    const { hub, till } = await startHub();
    await hub.backOffice.control("POST", "/faults", { faults: [{ path: check, action: "drop-before" }] });
    await expect(owe(till, ANA, 1)).rejects.toMatchObject({ errorCode: "CREDIT_REFUSED" });
  });

  it("the credit of a tender is checked once, and counts until the tender is voided [FISC-42, FISC-43, FISC-44]", async () => {
    const { hub, till } = await startHub({ env: { HUB_UNCHECKED_CREDIT: "100" } });
    const posReference = await open(till, 6_000);
    const tender = (amount: number, tenderId: string = crypto.randomUUID()) =>
      till.change({ type: "ORDER_TENDER", tenderId, posReference, methodId: CREDIT, amount, customerId: ANA });
    const tenderId = crypto.randomUUID();
    await tender(3_000, tenderId);
    expect(await tender(3_000, tenderId)).toMatchObject({ duplicate: true });
    expect(await checksAt(hub.backOffice)).toEqual([{ customerId: ANA, amount: 3_000 }]);
    await expect(tender(2_500)).rejects.toMatchObject({ errorCode: "CREDIT_REFUSED" });
    await till.change({ type: "ORDER_TENDER_VOID", tenderId, reason: "mistake" });
    await tender(2_500);
    await hub.backOffice.control("POST", "/faults", { faults: [{ path: check, action: "drop-before" }] });
    await tender(100);
    const { snapshot } = await broadcastOrder(till, posReference, 5);
    expect(snapshot.tenders?.at(-1)).toMatchObject({ amount: 100, customerId: ANA, isUnchecked: true });
    await expect(tender(1)).rejects.toMatchObject({ errorCode: "CREDIT_REFUSED" });
  });
});

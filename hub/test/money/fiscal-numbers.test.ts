import type { HubMessageOf } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { broadcastOrder } from "../support/broadcast-order.ts";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { startHubProgram } from "../support/start-hub-program.ts";
import { startTestHub, type TestBackOffice, type TestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

const quick = { HUB_FORWARD_INTERVAL_MS: "200", HUB_STATE_POLL_MS: "200" };
const reserve = "/pos-api/v1/orders/reserve-ncf";
const consumer = { fiscal: { type: "E32", name: "Ana" } };

let count = 0;
/** Returns a reference unique in this file: its tests share one back-office. */
const newReference = (): string => `FISC-${(count += 1)}`;

const open = (till: TestTerminal, posReference: string) =>
  till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });

const pay = (till: TestTerminal, posReference: string, overrides: Record<string, unknown> = {}) =>
  till.change({
    type: "ORDER_PAY",
    posReference,
    baseVersion: 1,
    payments: [{ methodId: 1, amount: 100 }],
    ...overrides,
  });

const health = async (hub: Pick<TestHub, "send">) => (await hub.send("GET", "/health")).body;

const faults = (backOffice: TestBackOffice, ...list: unknown[]) =>
  backOffice.control("POST", "/faults", { faults: list });

interface IssuedNumber {
  ncf: string;
  type: string;
  posReference: string;
  state: string;
  reason?: string;
}

/** Returns the fiscal numbers that the back-office issued for a reference. */
async function numbersOf(backOffice: TestBackOffice, posReference: string): Promise<IssuedNumber[]> {
  const { numbers } = (await backOffice.control("GET", "/ncf")) as { numbers: IssuedNumber[] };
  return numbers.filter((number) => number.posReference === posReference);
}

/** Returns the orders that the back-office has booked under a reference. */
async function booked(backOffice: TestBackOffice, posReference: string): Promise<{ ncf: string | null }[]> {
  const { orders } = (await backOffice.control("GET", "/orders")) as {
    orders: { posReference: string; ncf: string | null }[];
  };
  return orders.filter((order) => order.posReference === posReference);
}

async function requestsTo(backOffice: TestBackOffice, path: string): Promise<{ body: Record<string, unknown> }[]> {
  const { requests } = (await backOffice.control("GET", "/requests")) as {
    requests: { path: string; body: Record<string, unknown> }[];
  };
  return requests.filter((request) => request.path === path);
}

/** Builds Odoo's report of a failure, which has HTTP status 200. */
const rpcError = (name: string) => ({
  jsonrpc: "2.0",
  id: null,
  error: { code: 200, message: "Odoo Server Error", data: { name, message: "it went wrong" } },
});

const closed = (till: TestTerminal, posReference: string): Promise<HubMessageOf<"ORDER_CHANGED">> =>
  till.next(
    "ORDER_CHANGED",
    (message) => message.posReference === posReference && message.order.snapshot.status === "closed",
  );

describe("fiscal numbers requested by the hub ", () => {
  it("a fiscal number comes with the answer to the payment and is forwarded with the order [FISC-1, FWD-46]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    await open(till, name);
    const fiscal = { type: "B01", rnc: "131-24678-9", name: "Constructora del Este SRL" };
    const answer = await pay(till, name, { fiscal });
    expect(answer).toMatchObject({
      version: 2,
      ncf: expect.stringMatching(/^B01\d{8}$/),
      fiscal: { ...fiscal, status: "assigned", expiresOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    });
    expect(await requestsTo(hub.backOffice, reserve)).toMatchObject([
      { body: { pos_reference: name, type: "B01", rnc: "131-24678-9" } },
    ]);
    const numbered = await broadcastOrder(till, name, 3);
    expect(numbered).toMatchObject({
      terminalId: "hub",
      forward: { state: "pending" },
      snapshot: { status: "paid", ncf: answer.ncf, fiscal: answer.fiscal },
    });
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: answer.ncf, order: { version: 3 } }]);
    expect(await numbersOf(hub.backOffice, name)).toMatchObject([{ ncf: answer.ncf, state: "used" }]);
    const { body } = await operatorOf(hub)("orderVersions", { params: { posReference: name } });
    expect(body.versions.map(({ kind }: { kind: string }) => kind)).toEqual(["created", "paid", "numbered", "closed"]);
  });

  it("a fiscal number follows later when the line is down, and other orders are forwarded meanwhile [FISC-2, FISC-3, FISC-4, FWD-45, OP-206]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [waiting, other] = [newReference(), newReference()];
    await faults(hub.backOffice, { path: reserve, action: "drop-before" });
    await open(till, waiting);
    await open(till, other);
    const mutationId = crypto.randomUUID();
    const answer = await pay(till, waiting, { ...consumer, mutationId });
    expect(answer).toMatchObject({ version: 2, fiscal: { status: "pending", type: "E32", name: "Ana" } });
    expect(answer.ncf).toBeUndefined();
    await pay(till, other);
    await closed(till, other);
    expect(await booked(hub.backOffice, waiting)).toEqual([]);
    expect(await health(hub)).toMatchObject({ status: "ok", pendingForward: 1 });
    const operator = operatorOf(hub);
    expect((await operator("fiscal")).body).toMatchObject({ pending: 1, failed: [] });
    const queue = { pending: 1, waitingForNumber: 1, estimateMs: null };
    expect((await operator("overview")).body).toMatchObject({ forward: queue });
    expect((await operator("backOffice")).body).toMatchObject({ queue });

    await hub.backOffice.control("DELETE", "/faults");
    const numbered = await till.next("ORDER_CHANGED", (message) => message.order.snapshot.ncf !== undefined);
    expect(numbered).toMatchObject({
      posReference: waiting,
      version: 3,
      origin: "hub",
      order: { snapshot: { fiscal: { status: "assigned", type: "E32", name: "Ana", expiresOn: expect.any(String) } } },
    });
    const { ncf } = numbered.order.snapshot;
    expect(await pay(till, waiting, { ...consumer, mutationId })).toMatchObject({
      duplicate: true,
      version: 2,
      ncf,
      fiscal: { status: "assigned" },
    });
    await closed(till, waiting);
    expect(await booked(hub.backOffice, waiting)).toMatchObject([{ ncf }]);
  });

  it("each order gets one fiscal number, also when answers are lost [FISC-3]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await faults(hub.backOffice, { path: reserve, action: "drop-after", times: 3 });
    const names = [newReference(), newReference()];
    for (const name of names) {
      await open(till, name);
      await pay(till, name, consumer);
    }
    for (const name of names) {
      await closed(till, name);
      const [number, ...more] = await numbersOf(hub.backOffice, name);
      expect(more).toEqual([]);
      expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: number?.ncf }]);
    }
    expect((await requestsTo(hub.backOffice, reserve)).length).toBeGreaterThan(names.length);
  });

  it("a pending fiscal number is requested again after a SIGKILL [FISC-3]", { tags: "long" }, async () => {
    const hub = await startTestHub({ env: quick });
    await faults(hub.backOffice, { path: reserve, action: "hang-before" });
    const env = {
      ERP_URL: hub.backOffice.url,
      HUB_HTTP_PORT: "0",
      HUB_DB_PATH: `${hub.dbPath}-2`,
      HUB_MDNS_ENABLED: "false",
      HUB_LOG_LEVEL: "fatal",
      ...quick,
    };
    const killed = await startHubProgram(env);
    const till = await killed.terminal(await hub.signIn("cashier"), "till");
    const name = newReference();
    await open(till, name);
    expect(await pay(till, name, consumer)).toMatchObject({ fiscal: { status: "pending" } });
    await killed.end("SIGKILL");
    await hub.backOffice.control("DELETE", "/faults");
    const program = await startHubProgram(env);
    await until("the order to be forwarded", async () => (await program.health()).pendingForward === 0);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: expect.stringMatching(/^E32/) }]);
    await program.end("SIGTERM");
  });

  it("RD$ 250,000 by an unidentified consumer is accepted, but its number waits for a manager [FISC-70]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const payLarge = async (amount: number, fiscal: Record<string, unknown>) => {
      const posReference = newReference();
      const lines = [{ id: "a", productId: 101, quantity: 1, unitPrice: amount, total: amount }];
      await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot({ lines }) });
      const payments = [{ methodId: 1, amount }];
      return { posReference, answer: await pay(till, posReference, { payments, fiscal }) };
    };
    const { posReference, answer } = await payLarge(250_000, consumer.fiscal);
    expect(answer.fiscal).toMatchObject({ status: "failed", type: "E32", errorCode: "BUYER_MISSING" });
    await till.next("HUB_STATUS", ({ attention }) => attention === 1);
    expect(await numbersOf(hub.backOffice, posReference)).toEqual([]);
    const params = { posReference };
    const decided = await operatorOf(hub)("decideNumber", { params, body: { action: "retry", rnc: "00114272360" } });
    expect(decided.body).toMatchObject({ fiscal: { status: "assigned" } });

    const named = await payLarge(250_000, { type: "E32", rnc: "001-1427236-0", name: "Ana Lucía Méndez" });
    expect(named.answer.fiscal).toMatchObject({ status: "assigned" });
    expect((await payLarge(249_999.99, consumer.fiscal)).answer.fiscal).toMatchObject({ status: "assigned" });
  });

  it("terminals get the remaining numbers of a type while they are low, and not once there are enough [FISC-71]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await hub.backOffice.control("POST", "/ncf", { type: "B02", remaining: 12 });
    const status = await till.next("HUB_STATUS", ({ fiscalNumbers }) => fiscalNumbers !== undefined);
    expect(status.fiscalNumbers).toMatchObject([{ type: "B02", left: 12, state: "low" }]);
    await hub.backOffice.control("POST", "/ncf", { type: "B02", remaining: 500 });
    await till.next("HUB_STATUS", ({ fiscalNumbers }) => fiscalNumbers === undefined);
  });

  it("a refused fiscal number needs attention until a manager requests it again with a buyer [FISC-5, FISC-30, FWD-48, OP-196, UI-288]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    await open(till, name);
    const error = "rnc: a number of type B01 needs the buyer's RNC";
    expect(await pay(till, name, { fiscal: { type: "B01" } })).toMatchObject({
      version: 2,
      fiscal: { status: "failed", type: "B01", error, errorCode: "VALIDATION_ERROR" },
    });
    await till.next("HUB_STATUS", ({ attention }) => attention === 1);
    expect(await health(hub)).toMatchObject({ status: "degraded", reasons: ["attention"], pendingForward: 1 });
    expect((await operator("fiscal")).body).toMatchObject({
      pending: 0,
      failed: [{ posReference: name, type: "B01", rnc: null, error: { words: error }, errorCode: "VALIDATION_ERROR" }],
    });
    const withProblem = async () => (await operator("orders", { query: { status: "attention" } })).body;
    expect(await withProblem()).toMatchObject({
      orders: [{ posReference: name, missingNumber: "failed", unappliedPayment: false }],
      total: 1,
    });
    const { events } = (await operator("forwardEvents", { query: { state: "pending" } })).body;
    // Retrying the forward does not send it either.
    await operator("retryForward", { params: { eventId: events[0].eventId } });
    await operator("tryBackOffice");
    expect(await booked(hub.backOffice, name)).toEqual([]);

    const params = { posReference: name };
    const buyer = { rnc: "131246789", name: "Constructora del Este SRL" };
    const again = await operator("decideNumber", { params, body: { action: "retry", ...buyer } });
    expect(again.body).toMatchObject({
      posReference: name,
      ncf: expect.stringMatching(/^B01/),
      fiscal: { status: "assigned", type: "B01", ...buyer },
    });
    expect(again.body.fiscal.error).toBeUndefined();
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: again.body.ncf }]);
    expect((await health(hub)).reasons).toEqual([]);
    expect(await withProblem()).toMatchObject({ orders: [], total: 0 });
    const { entries } = (await operator("orderTimeline", { params })).body;
    expect(entries).toContainEqual(expect.objectContaining({ kind: "operator", action: "fiscal.retry" }));
    expect((await operator("decideNumber", { params, body: { action: "retry" } })).status).toBe(404);
  });

  it("a manager's type is requested even when the answer to an earlier request comes later [FISC-30]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    await open(till, name);
    // The refusal takes longer than the manager's decision waits.
    await faults(hub.backOffice, { path: reserve, latencyMs: 6_000, times: 1 });
    const paid = pay(till, name, { fiscal: { type: "B01" } });
    await until("the request", async () => (await operator("fiscal")).body.pending === 1);
    const params = { posReference: name };
    const decided = await operator("decideNumber", { params, body: { action: "retry", type: "E32" } });
    expect(decided.body.fiscal).not.toHaveProperty("error");
    expect(await paid).toMatchObject({ fiscal: { status: "pending" } });
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: expect.stringMatching(/^E32/) }]);
  });

  it.each([
    ["500", { status: 500, body: { error: "Internal Server Error", errorCode: "INTERNAL_ERROR" } }],
    ["an unknown error", { status: 400, body: { error: "it went wrong", errorCode: "UNKNOWN_ERROR" } }],
    ["a fault of the server", { status: 422, body: { error: "it went wrong", errorCode: "INTERNAL_ERROR" } }],
    ["a page", { status: 404, body: "<html>nginx</html>" }],
    ["a fault of Odoo", { status: 200, body: rpcError("builtins.KeyError") }],
  ])("a fiscal number is requested again after %s, while the order waits [FISC-151, OP-280]", async (_, answer) => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    await faults(hub.backOffice, { path: reserve, action: "status", ...answer });
    await open(till, name);
    expect(await pay(till, name, consumer)).toMatchObject({ fiscal: { status: "pending" } });
    const { body } = await operator("fiscal");
    expect(body).toMatchObject({ pending: 1, failed: [], unclear: [{ posReference: name, type: "E32" }] });
    await hub.backOffice.control("DELETE", "/faults");
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: expect.stringMatching(/^E32/) }]);
    expect((await operator("fiscal")).body).toMatchObject({ pending: 0, unclear: [] });
  });

  it("a refusal with a code of the back-office or a user error of Odoo is final [FISC-151]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const refusals = [
      { status: 409, body: { error: "no number is left", errorCode: "NCF_EXHAUSTED" } },
      { status: 200, body: rpcError("odoo.exceptions.UserError") },
    ];
    for (const refusal of refusals) {
      const name = newReference();
      await faults(hub.backOffice, { path: reserve, action: "status", ...refusal });
      await open(till, name);
      expect(await pay(till, name, consumer)).toMatchObject({ fiscal: { status: "failed" } });
    }
  });

  it("an unanswered number request does not hold up others [FISC-6]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [hanging, next] = [newReference(), newReference()];
    await faults(hub.backOffice, { path: reserve, action: "hang-before", times: 1 });
    await open(till, hanging);
    await open(till, next);
    expect(await pay(till, hanging, consumer)).toMatchObject({ fiscal: { status: "pending" } });
    expect(await pay(till, next, consumer)).toMatchObject({ ncf: expect.stringMatching(/^E32/) });
  });

  it("a payment without a type gets no fiscal number [FISC-7]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const names = [newReference(), newReference()];
    for (const [index, more] of [{}, { fiscal: { rnc: "101889901" } }].entries()) {
      const name = names[index] ?? "";
      await open(till, name);
      expect((await pay(till, name, more)).fiscal).toMatchObject({ status: "none" });
      expect((await closed(till, name)).order.snapshot).toMatchObject({ fiscal: { ...more.fiscal, status: "none" } });
      expect(await numbersOf(hub.backOffice, name)).toEqual([]);
    }
  });

  it("a number that another order of this hub carries is not accepted [FISC-8]", async () => {
    const hub = await startTestHub({ env: quick, ownBackOffice: true });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [mine, first, second] = [newReference(), newReference(), newReference()];
    for (const name of [mine, first, second]) await open(till, name);
    const issued = (await pay(till, mine, consumer)).ncf ?? "";
    const following = issued.slice(0, 3) + String(Number(issued.slice(3)) + 1).padStart(10, "0");
    await faults(hub.backOffice, { path: "/pos-api/v1/hub/*", action: "drop-before" });
    expect(await pay(till, first, { ncf: following })).toMatchObject({ fiscal: { status: "assigned" } });
    expect(await pay(till, second, consumer)).toMatchObject({
      fiscal: { status: "failed", errorCode: "NCF_IN_USE", error: expect.stringContaining(first) },
    });
  });
});

describe("a replaced fiscal number ", () => {
  /** Pays a check that is given a number which another check of this hub, not yet forwarded, already carries. */
  async function payWithUsedNumber(hub: TestHub, till: TestTerminal): Promise<{ name: string; used: string }> {
    const [before, holder, name] = [newReference(), newReference(), newReference()];
    for (const each of [before, holder, name]) await open(till, each);
    const issued = (await pay(till, before, consumer)).ncf ?? "";
    const used = issued.slice(0, 3) + String(Number(issued.slice(3)) + 1).padStart(10, "0");
    await faults(hub.backOffice, { path: "/pos-api/v1/hub/*", action: "drop-before" });
    await pay(till, holder, { ncf: used });
    expect(await pay(till, name, consumer)).toMatchObject({ fiscal: { errorCode: "NCF_IN_USE" } });
    return { name, used };
  }

  const release = "/pos-api/v1/orders/release-ncf";
  const replace = { action: "replace" };

  it("a replaced number is annulled first, and the order gets one other number [FISC-72]", async () => {
    const hub = await startTestHub({ env: quick, ownBackOffice: true });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { name, used } = await payWithUsedNumber(hub, till);
    const params = { posReference: name };
    expect((await operator("decideNumber", { params, body: { action: "retry" } })).body).toMatchObject({
      fiscal: { status: "failed", errorCode: "NCF_IN_USE" },
    });
    const answers = await Promise.all([1, 2, 3].map(() => operator("decideNumber", { params, body: replace })));
    const good = answers.filter(({ status }) => status === 200).map(({ body }) => body.ncf);
    expect([...new Set(good)]).toEqual([expect.stringMatching(/^E32/)]);
    expect(good).not.toContain(used);
    expect(await numbersOf(hub.backOffice, name)).toMatchObject([
      { ncf: used, state: "annulled", reason: "another number was asked for by Marisol Peña" },
      { ncf: good[0], state: "reserved" },
    ]);
    expect((await operator("fiscal")).body).toMatchObject({ pending: 0, failed: [] });
    await hub.backOffice.control("DELETE", "/faults");
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: good[0] }]);
    const { entries } = (await operator("orderTimeline", { params })).body;
    for (const action of ["fiscal.released", "fiscal.retry"]) {
      expect(entries).toContainEqual(expect.objectContaining({ kind: "operator", action }));
    }
  });

  it("a replacement number may have another type [FISC-72]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    const params = { posReference: name };
    await open(till, name);
    // The number is reserved, but the answer is lost.
    await faults(hub.backOffice, { path: reserve, action: "hang-after" });
    await pay(till, name, consumer);
    const buyer = { type: "E31", rnc: "131246789" };
    await operator("decideNumber", { params, body: { action: "retry", ...buyer } });
    await hub.backOffice.control("DELETE", "/faults");
    await till.next("ORDER_CHANGED", ({ order }) => order.snapshot.fiscal?.errorCode === "NCF_ALREADY_RESERVED");
    const { body } = await operator("decideNumber", { params, body: replace });
    expect(body).toMatchObject({ ncf: expect.stringMatching(/^E31/), fiscal: { status: "assigned", ...buyer } });
    expect(await numbersOf(hub.backOffice, name)).toMatchObject([{ type: "E32", state: "annulled" }, { type: "E31" }]);
  });

  it("a number is not replaced when its release fails or no number is reserved [FISC-73]", async () => {
    const hub = await startTestHub({ env: quick, ownBackOffice: true });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { name, used } = await payWithUsedNumber(hub, till);
    const params = { posReference: name };
    await faults(hub.backOffice, { path: release, action: "drop-before" });
    expect(await operator("decideNumber", { params, body: replace })).toMatchObject({
      status: 503,
      body: { errorCode: "UPSTREAM_UNAVAILABLE" },
    });
    const refused = { error: "this number was reported already", errorCode: "NCF_USED" };
    await faults(hub.backOffice, { path: release, action: "status", status: 409, body: refused });
    expect(await operator("decideNumber", { params, body: replace })).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR", error: refused.error },
    });
    expect(await numbersOf(hub.backOffice, name)).toMatchObject([{ ncf: used, state: "reserved" }]);
    // A back-office without the release endpoint returns the same number again.
    await hub.backOffice.control("POST", "/quirks", { lacks: ["orders/release-ncf"] });
    await hub.backOffice.control("DELETE", "/faults");
    expect((await operator("decideNumber", { params, body: replace })).body).toMatchObject({
      fiscal: { status: "failed", errorCode: "NCF_IN_USE" },
    });

    const other = newReference();
    await open(till, other);
    await pay(till, other, { fiscal: { type: "X99" } });
    expect(await operator("decideNumber", { params: { posReference: other }, body: replace })).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR" },
    });
    expect(await operator("decideNumber", { params: { posReference: "NONE" }, body: replace })).toMatchObject({
      status: 404,
    });
  });
});

describe("orders without a fiscal number ", () => {
  it("an order is forwarded without its number once a manager decides so [FISC-31]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    await open(till, name);
    expect(await pay(till, name, { fiscal: { type: "X99" } })).toMatchObject({ fiscal: { status: "failed" } });
    const params = { posReference: name };
    const skipped = await operator("decideNumber", { params, body: { action: "skip" } });
    expect(skipped.body).toMatchObject({ posReference: name, fiscal: { status: "none", type: "X99" } });
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: null }]);
    expect((await operator("fiscal")).body).toMatchObject({ pending: 0, failed: [] });
    const { entries } = (await operator("orderTimeline", { params })).body;
    expect(entries).toContainEqual(expect.objectContaining({ kind: "operator", action: "fiscal.skip" }));
  });

  it("a number reserved for an order that went without it is released before forwarding [FISC-32]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    // The number is reserved, but the answer arrives after the manager's decision.
    await faults(hub.backOffice, { path: reserve, action: "hang-after" });
    await open(till, name);
    expect(await pay(till, name, consumer)).toMatchObject({ fiscal: { status: "pending" } });
    const { body } = await operator("decideNumber", { params: { posReference: name }, body: { action: "skip" } });
    expect(body).toMatchObject({ fiscal: { status: "none" } });
    expect(await numbersOf(hub.backOffice, name)).toMatchObject([{ state: "reserved" }]);
    await hub.backOffice.control("DELETE", "/faults");
    await faults(hub.backOffice, { path: "/pos-api/v1/orders/release-ncf", action: "drop-before", times: 2 });
    expect((await closed(till, name)).order.snapshot.ncf).toBeUndefined();
    expect(await numbersOf(hub.backOffice, name)).toMatchObject([
      { state: "annulled", reason: "order sent without a number by Marisol Peña" },
    ]);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: null }]);
  });

  it("a number of an unanswered request is released also if another type was refused since [FISC-32]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    await faults(hub.backOffice, { path: reserve, action: "drop-after" });
    await open(till, name);
    expect(await pay(till, name, consumer)).toMatchObject({ fiscal: { status: "pending" } });
    const decide = (body: object) => operatorOf(hub)("decideNumber", { params: { posReference: name }, body });
    // The back-office grants no numbers of this type.
    await decide({ action: "retry", type: "B14" });
    await hub.backOffice.control("DELETE", "/faults");
    await until("it is refused", async () => (await operatorOf(hub)("fiscal")).body.failed.length === 1);
    await decide({ action: "skip" });
    await closed(till, name);
    expect(await numbersOf(hub.backOffice, name)).toMatchObject([{ type: "E32", state: "annulled" }]);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: null }]);
  });

  it("an order does not wait for ever for an unanswered release of its number [FISC-32]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    const answer = { status: 500, body: { error: "it went wrong", errorCode: "INTERNAL_ERROR" } };
    await faults(
      hub.backOffice,
      { path: reserve, action: "status", ...answer },
      { path: "/pos-api/v1/orders/release-ncf", action: "status", ...answer },
    );
    await open(till, name);
    await pay(till, name, consumer);
    await operator("decideNumber", { params: { posReference: name }, body: { action: "skip" } });
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: null }]);
    const { entries } = (await operator("orderTimeline", { params: { posReference: name } })).body;
    expect(entries).toContainEqual(expect.objectContaining({ action: "fiscal.not_released" }));
  });

  it("a number that the back-office cannot release is named in the timeline and the feed [FISC-33]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    await hub.backOffice.control("POST", "/quirks", { lacks: ["orders/release-ncf"] });
    await faults(hub.backOffice, { path: reserve, latencyMs: 2_500 });
    await open(till, name);
    expect(await pay(till, name, consumer)).toMatchObject({ fiscal: { status: "pending" } });
    await operator("decideNumber", { params: { posReference: name }, body: { action: "skip" } });
    await closed(till, name);
    const [number] = await numbersOf(hub.backOffice, name);
    const { entries } = (await operator("orderTimeline", { params: { posReference: name } })).body;
    expect(entries).toContainEqual(
      expect.objectContaining({ action: "fiscal.not_released", note: expect.objectContaining({ about: number?.ncf }) }),
    );
    const feed = (await operator("feed")).body.entries;
    expect(feed).toContainEqual(expect.objectContaining({ kind: "fiscal_not_released", level: "bad" }));
  });
});

describe("fiscal numbers refused with their order ", () => {
  it.each([
    ["in a batch", []],
    [
      "alone",
      [{ path: "/pos-api/v1/hub/batch-sync", action: "status", status: 400, body: { error: "no", errorCode: "NO" } }],
    ],
  ])("an order whose number is refused %s needs attention with the back-office's words [FWD-47]", async (_, list) => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [mine, refused] = [newReference(), newReference()];
    await open(till, mine);
    const { ncf = "" } = await pay(till, mine, consumer);
    await closed(till, mine);
    // A second hub does not know that the number is used.
    const otherHub = await startTestHub({ env: quick });
    await faults(otherHub.backOffice, ...list);
    const otherTill = await otherHub.terminal({ login: "cashier", deviceId: "till" });
    await open(otherTill, refused);
    await pay(otherTill, refused, { ncf });
    const message = await otherTill.next("ORDER_CHANGED", ({ order }) => order.forward?.state === "attention");
    expect(message.order.forward?.error).toBe(`${ncf} belongs to the order ${mine}`);
    expect((await operatorOf(otherHub)("forwardEvents", { query: { state: "attention" } })).body.events).toMatchObject([
      { posReference: refused, errorCode: "NCF_CONFLICT", error: { words: `${ncf} belongs to the order ${mine}` } },
    ]);
    expect(await health(otherHub)).toMatchObject({ reasons: ["attention"], pendingForward: 1 });
    expect(await booked(hub.backOffice, refused)).toEqual([]);
  });

  /** Pays a check at a second hub with a number that a check of the first hub already has, so accounting refuses it. */
  async function sellWithUsedNumber(): Promise<{ hub: TestHub; till: TestTerminal; name: string; ncf: string }> {
    const first = await startTestHub({ env: quick });
    const firstTill = await first.terminal({ login: "cashier", deviceId: "till" });
    const [mine, name] = [newReference(), newReference()];
    await open(firstTill, mine);
    const { ncf = "" } = await pay(firstTill, mine, consumer);
    await closed(firstTill, mine);
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await open(till, name);
    await pay(till, name, { ncf });
    await till.next("ORDER_CHANGED", ({ order }) => order.forward?.state === "attention");
    return { hub, till, name, ncf };
  }

  it.each([
    ["another one is asked for", { action: "retry" }, /^E32/],
    ["another type is asked for", { action: "retry", type: "B02" }, /^B02/],
    ["it is replaced", { action: "replace" }, /^E32/],
  ])("a number refused with its order is resolved: %s [FISC-150]", async (_, decision, form) => {
    const { hub, till, name, ncf } = await sellWithUsedNumber();
    const operator = operatorOf(hub);
    expect((await operator("fiscal")).body).toMatchObject({
      pending: 0,
      failed: [{ posReference: name, type: "E32", errorCode: "NCF_CONFLICT" }],
    });
    const { status, body } = await operator("decideNumber", { params: { posReference: name }, body: decision });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { ncf: expect.stringMatching(form), fiscal: { status: "assigned" } },
    });
    expect(body.ncf).not.toBe(ncf);
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: body.ncf }]);
    expect((await operator("fiscal")).body).toMatchObject({ pending: 0, failed: [] });
    expect(await health(hub)).toMatchObject({ reasons: [], pendingForward: 0 });
  });

  it("an order whose number was refused may go without a number [FISC-150]", async () => {
    const { hub, till, name } = await sellWithUsedNumber();
    const operator = operatorOf(hub);
    const { body } = await operator("decideNumber", { params: { posReference: name }, body: { action: "skip" } });
    expect(body).toMatchObject({ fiscal: { status: "none" } });
    expect(body.ncf).toBeUndefined();
    await closed(till, name);
    expect(await booked(hub.backOffice, name)).toMatchObject([{ ncf: null }]);
  });

  it("an order keeps its refused number until it is replaced, and waits for the new one [FISC-150]", async () => {
    const { hub, till, name, ncf } = await sellWithUsedNumber();
    const operator = operatorOf(hub);
    const params = { posReference: name };
    await faults(hub.backOffice, { path: "/pos-api/v1/orders/release-ncf", action: "drop-before" });
    expect((await operator("decideNumber", { params, body: { action: "replace" } })).status).toBe(503);
    const { order } = (await operator("order", { params })).body;
    expect(order).toMatchObject({ forward: { state: "attention" }, snapshot: { ncf, fiscal: { status: "assigned" } } });
    await faults(hub.backOffice, { path: reserve, action: "drop-before" });
    expect((await operator("decideNumber", { params, body: { action: "retry" } })).body).toMatchObject({
      fiscal: { status: "pending" },
    });
    await operator("tryBackOffice");
    expect(await booked(hub.backOffice, name)).toEqual([]);
    await hub.backOffice.control("DELETE", "/faults");
    await closed(till, name);
  });

  it("an order refused for another reason offers no decision about its number [FISC-150]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const name = newReference();
    await faults(hub.backOffice, {
      path: "/pos-api/v1/hub/*",
      action: "status",
      status: 400,
      body: { error: "no", errorCode: "NO" },
    });
    await open(till, name);
    await pay(till, name, consumer);
    const params = { posReference: name };
    expect((await operatorOf(hub)("decideNumber", { params, body: { action: "retry" } })).status).toBe(404);
  });
});

describe("fiscal numbers with tenders ", () => {
  it("the tender that settles the check requests its fiscal number [FISC-1]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const posReference = newReference();
    await open(till, posReference);
    const tender = (amount: number) =>
      till.change({
        type: "ORDER_TENDER",
        tenderId: crypto.randomUUID(),
        posReference,
        methodId: 1,
        amount,
        fiscal: { type: "E32" },
      });
    expect(await tender(60)).toMatchObject({ status: "open" });
    expect(await numbersOf(hub.backOffice, posReference)).toEqual([]);
    const settled = await tender(40);
    expect(settled).toMatchObject({
      status: "paid",
      ncf: expect.stringMatching(/^E32/),
      fiscal: { status: "assigned" },
    });
    await closed(till, posReference);
    expect(await booked(hub.backOffice, posReference)).toMatchObject([{ ncf: settled.ncf }]);
  });

  it("a tender whose number another order carries is kept as unapplied [FISC-22]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [mine, other] = [newReference(), newReference()];
    await open(till, mine);
    await open(till, other);
    const { ncf } = await pay(till, mine, consumer);
    const tender = {
      type: "ORDER_TENDER",
      tenderId: crypto.randomUUID(),
      posReference: other,
      methodId: 1,
      amount: 100,
    };
    await expect(till.change({ ...tender, ncf })).rejects.toMatchObject({ errorCode: "NCF_IN_USE" });
    const { payments } = (await operatorOf(hub)("payments")).body;
    expect(payments).toMatchObject([{ posReference: other, errorCode: "NCF_IN_USE", amount: 100 }]);
  });
});

describe("fiscal numbers from terminals ", () => {
  it("a malformed number from a terminal is refused, and the money is kept [FISC-20]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const bad = [
      { ncf: "not-a-number" },
      { ncf: "" },
      { ncf: "B0200000001", fiscal: { type: "B01" } },
      { ncf: "E3100000001" },
      { ncf: "B9900000001" },
      { ncf: "X".repeat(40) },
      { fiscal: { type: "E34" } },
      { ncf: "B0400000001" },
      { fiscal: { type: "E43" } },
      { ncf: "B1100000001" },
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

  it("a number from a terminal is accepted once, also after its order is closed [FISC-21, FISC-22]", async () => {
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
    await till.next("ORDER_CHANGED", (message) => message.order.snapshot.status === "closed");
    await expect(pay(till, second, { ncf: "E320009000001" })).rejects.toMatchObject({ errorCode: "NCF_IN_USE" });
    expect((await operatorOf(hub)("payments")).body.payments).toMatchObject([
      { posReference: second, errorCode: "NCF_IN_USE" },
    ]);
  });

  it("applying a payment with a refused number requests another number [FISC-23]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [mine, inUse, invalid, note] = [newReference(), newReference(), newReference(), newReference()];
    for (const name of [mine, inUse, invalid, note]) await open(till, name);
    const { ncf } = await pay(till, mine, consumer);
    await expect(pay(till, inUse, { ncf })).rejects.toMatchObject({ errorCode: "NCF_IN_USE" });
    for (const [name, more] of [
      [invalid, { ncf: "none" }],
      [note, { fiscal: { type: "E34" } }],
    ] as const) {
      await expect(pay(till, name, more)).rejects.toMatchObject({ errorCode: "NCF_INVALID" });
    }
    for (const { paymentId } of (await operator("payments")).body.payments) {
      expect((await operator("applyPayment", { params: { paymentId }, body: {} })).status).toBe(200);
    }
    const another = (await closed(till, inUse)).order.snapshot;
    expect(another).toMatchObject({ fiscal: { status: "assigned", type: "E32" } });
    expect(another.ncf).not.toBe(ncf);
    expect(await booked(hub.backOffice, inUse)).toMatchObject([{ ncf: another.ncf }]);

    expect((await health(hub)).reasons).toEqual(["attention"]);
    for (const posReference of [invalid, note]) {
      const params = { posReference };
      const failed = (await operator("order", { params })).body.order.snapshot;
      expect(failed).toMatchObject({ fiscal: { status: "failed", errorCode: "NCF_INVALID" } });
      expect(failed.ncf).toBeUndefined();
      for (const type of [undefined, "E34"]) {
        expect((await operator("decideNumber", { params, body: { action: "retry", type } })).status).toBe(400);
      }
      const { body } = await operator("decideNumber", { params, body: { action: "retry", type: "E32" } });
      expect(body).toMatchObject({ fiscal: { status: "assigned", type: "E32" } });
      await closed(till, posReference);
      expect(await booked(hub.backOffice, posReference)).toMatchObject([{ ncf: body.ncf }]);
    }
  });

  it("applying a payment with the number of a credit note requests no number of that type [FISC-23]", async () => {
    const hub = await startTestHub({ env: quick });
    const operator = operatorOf(hub);
    const api = terminalApiOf(hub);
    await until("credit notes", async () => (await api("menu")).body.creditNotes !== undefined);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [refunded, posReference] = [newReference(), newReference()];
    for (const name of [refunded, posReference]) await open(till, name);
    await pay(till, refunded, consumer);
    await closed(till, refunded);
    const body = { posReference: refunded, refundId: crypto.randomUUID(), reason: "frío" };
    const token = await hub.signIn("manager");
    const note = await api("refund", { token, body: { ...body, refund: [{ methodId: 1, amount: 100 }] } });
    const { ncf } = note.body.refund;
    expect(ncf).toMatch(/^E34/);
    await expect(pay(till, posReference, { ncf })).rejects.toMatchObject({ errorCode: "NCF_IN_USE" });
    const [{ paymentId }] = (await operator("payments")).body.payments;
    expect((await operator("applyPayment", { params: { paymentId }, body: {} })).status).toBe(200);
    const { snapshot } = (await operator("order", { params: { posReference } })).body.order;
    expect(snapshot).toMatchObject({ status: "paid", fiscal: { status: "failed", errorCode: "NCF_INVALID" } });
    expect(await numbersOf(hub.backOffice, posReference)).toEqual([]);
  });
});

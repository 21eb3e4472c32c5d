import type { FiscalStatus } from "@comanda/protocol";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Tx } from "../../changes/change.ts";
import { createRefundStore } from "../../fiscal/refund-store.ts";
import { realWorld } from "../../platform/world.ts";
import { backUp } from "../data-file/restore-steps.ts";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { settingsInMemory } from "../support/settings-in-memory.ts";
import { startTestHub, type TestBackOffice, type TestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

const DAY = 86_400_000;
const quick = { HUB_FISCAL_POLL_MS: "300", HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" };
const finalize = "/pos-api/v1/hub/finalize";

let count = 0;
/** Returns a reference unique in this file: its tests share one back-office. */
const newReference = (): string => `ECF-${(count += 1)}`;

async function pay(
  till: TestTerminal,
  posReference: string,
  fiscal: object = { type: "E32" },
  check: Record<string, unknown> = {},
) {
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot(check) });
  const payments = [{ methodId: 1, amount: 100 }];
  return till.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments, fiscal });
}

const quirk = (backOffice: TestBackOffice, fiscal: string, more: object = {}) =>
  backOffice.control("POST", "/quirks", { fiscal, ...more });

const snapshotOf = async (hub: TestHub, posReference: string) =>
  (await hub.external().get(`/orders/${posReference}`)).body.snapshot;

const closed = (hub: TestHub, posReference: string) =>
  until("the order to be closed", async () => {
    const snapshot = await snapshotOf(hub, posReference);
    return snapshot.status === "closed" && snapshot;
  });

const fiscalOf = async (hub: TestHub) => (await operatorOf(hub)("fiscal")).body;
const decide = (hub: TestHub, posReference: string, action: string) =>
  operatorOf(hub)("decideNumber", { params: { posReference }, body: { action } });

async function countLookups(hub: TestHub, posReference: string): Promise<number> {
  const { requests } = (await hub.backOffice.control("GET", "/requests")) as {
    requests: { path: string; body: { posReference?: string } | null }[];
  };
  return requests.filter(({ path, body }) => path === finalize && body?.posReference === posReference).length;
}

/** Starts a hub with a till, at a back-office set to this e-CF behaviour. */
async function startWith(fiscal: string, env: Record<string, string> = {}, more: object = {}) {
  const hub = await startTestHub({ env: { ...quick, ...env }, ...more });
  await quirk(hub.backOffice, fiscal);
  return { hub, till: await hub.terminal({ login: "cashier", deviceId: "till" }) };
}

const signed = {
  securityCode: expect.stringMatching(/^\w{6}$/),
  signedAt: expect.any(String),
  qrUrl: expect.stringContaining("https://fc.dgii.gov.do/"),
  status: "accepted",
};

describe("orders of an electronic type ", () => {
  it("an electronic order is forwarded at once and carries the receipt's data [ECF-2, ECF-4, ECF-8]", async () => {
    const { hub, till } = await startWith("signed", { HUB_FORWARD_INTERVAL_MS: "600000" });
    const name = newReference();
    const { ncf } = await pay(till, name);
    const snapshot = await closed(hub, name);
    expect(snapshot).toMatchObject({
      ncf,
      fiscal: {
        status: "assigned",
        lookup: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ2-9]{8}$/),
        ecf: { ncf, ...signed },
      },
    });
    const message = await till.next("ORDER_CHANGED", ({ order }) => order.snapshot.status === "closed");
    expect(message.order.snapshot.fiscal).toEqual(snapshot.fiscal);
    expect(await fiscalOf(hub)).toMatchObject({ signing: 0, receipts: [], contingency: [] });
    expect(await countLookups(hub, name)).toBe(0);
    for (const search of [snapshot.fiscal.lookup.toLowerCase(), ncf]) {
      const found = await operatorOf(hub)("orders", { query: { status: "all", search } });
      expect(found.body.orders).toMatchObject([{ posReference: name }]);
    }
  });

  it("an electronic order is forwarded at once together with waiting paper orders [ECF-8]", async () => {
    const { hub, till } = await startWith("signed", { HUB_FORWARD_INTERVAL_MS: "600000" });
    const [onPaper, electronic] = [newReference(), newReference()];
    await pay(till, onPaper, { type: "B02" });
    await pay(till, electronic);
    await closed(hub, electronic);
    expect((await closed(hub, onPaper)).fiscal.ecf).toBeUndefined();
  });

  it("an electronic order is forwarded as soon as the back-office answers again [ECF-8, ECF-9]", async () => {
    const { hub, till } = await startWith("signed", { HUB_FORWARD_INTERVAL_MS: "600000", HUB_STATE_POLL_MS: "200" });
    const name = newReference();
    await hub.backOffice.control("POST", "/faults", { faults: [{ path: "/pos-api/*", action: "drop-before" }] });
    expect(await pay(till, name)).toMatchObject({ fiscal: { status: "pending" } });
    await till.next("HUB_STATUS", ({ backOffice }) => backOffice === "down");
    await hub.backOffice.control("DELETE", "/faults");
    expect((await closed(hub, name)).fiscal.ecf).toMatchObject(signed);
  });

  it.each([
    ["the request for its number", "/pos-api/v1/orders/reserve-ncf"],
    ["its forwarding", "/pos-api/v1/hub/batch-sync"],
  ])(
    "an electronic order is signed soon after %s got no answer, however long the forwarding interval [FISC-390, ECF-173]",
    async (_what, path) => {
      const { hub, till } = await startWith("signed", { HUB_FORWARD_INTERVAL_MS: "600000" });
      const name = newReference();
      await hub.backOffice.control("POST", "/faults", { faults: [{ path, action: "drop-before", times: 1 }] });
      await pay(till, name);
      expect((await closed(hub, name)).fiscal.ecf).toMatchObject(signed);
    },
  );

  it("an unsigned receipt is looked up until it is signed, and terminals are notified [ECF-9]", async () => {
    const { hub, till } = await startWith("later");
    const name = newReference();
    await quirk(hub.backOffice, "later", { fiscalAfterMs: 2_000 });
    const { ncf } = await pay(till, name);
    expect((await closed(hub, name)).fiscal.ecf).toEqual({ ncf, status: "pending" });
    expect(await fiscalOf(hub)).toMatchObject({ signing: 1, receipts: [] });
    const message = await till.next(
      "ORDER_CHANGED",
      ({ order }) => order.snapshot.fiscal?.ecf?.securityCode !== undefined,
    );
    expect(message).toMatchObject({ posReference: name, origin: "hub", order: { forward: { state: "done" } } });
    expect(await countLookups(hub, name)).toBeGreaterThan(2);
    expect(await snapshotOf(hub, name)).toMatchObject({ status: "closed", ncf, fiscal: { ecf: { ncf, ...signed } } });
    const { versions } = (await operatorOf(hub)("orderVersions", { params: { posReference: name } })).body;
    expect(versions.map(({ kind }: { kind: string }) => kind)).toEqual([
      "created",
      "paid",
      "numbered",
      "closed",
      "signed",
    ]);
    expect(versions.at(-1)).toMatchObject({ origin: "hub", fiscal: { ecf: { ncf } } });
    await until("nothing to be asked for", async () => (await fiscalOf(hub)).signing === 0);
  });

  it("an unsigned receipt is looked up after a restart [ECF-9]", async () => {
    const { hub, till } = await startWith("never");
    const name = newReference();
    await pay(till, name);
    await closed(hub, name);
    await hub.restart();
    await quirk(hub.backOffice, "signed");
    await until("the code", async () => (await snapshotOf(hub, name)).fiscal.ecf?.securityCode);
  });

  it("a receipt without a code after 24 hours needs attention, and a manager may look it up again [ECF-10, ECF-13]", async () => {
    let ahead = 0;
    const real = realWorld(pino({ level: "silent" }));
    const world = { clock: { ...real.clock, now: () => Date.now() + ahead } };
    const { hub, till } = await startWith("never", {}, { world });
    await quirk(hub.backOffice, "never", { date: "none" });
    const name = newReference();
    const { ncf } = await pay(till, name);
    await closed(hub, name);
    ahead = DAY;
    await till.next("HUB_STATUS", ({ attention }) => attention === 1);
    expect(await fiscalOf(hub)).toMatchObject({
      signing: 0,
      receipts: [{ posReference: name, state: "unsigned", ncf, error: { reason: "receipt_unsigned" } }],
    });
    const found = (await operatorOf(hub)("orders", { query: { status: "attention" } })).body;
    expect(found.orders).toMatchObject([{ posReference: name }]);
    const lookups = await countLookups(hub, name);
    await quirk(hub.backOffice, "signed", { date: "none" });
    expect((await decide(hub, name, "retry")).body).toMatchObject({ fiscal: { ecf: { ncf, ...signed } } });
    expect(await countLookups(hub, name)).toBe(lookups + 1);
    expect((await fiscalOf(hub)).receipts).toEqual([]);
  });

  it("an order rejected by the tax office stays paid and needs attention until a manager dismisses it [ECF-6, ECF-13]", async () => {
    const { hub, till } = await startWith("rejected");
    const name = newReference();
    const { ncf } = await pay(till, name);
    const rejection = "El RNC del comprador no existe en la DGII.";
    expect((await closed(hub, name)).fiscal).toMatchObject({
      status: "assigned",
      ecf: { ncf, status: "rejected", error: rejection },
    });
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "degraded", reasons: ["attention"] });
    expect((await fiscalOf(hub)).receipts).toMatchObject([
      { posReference: name, state: "rejected", error: { reason: "receipt_rejected", words: rejection } },
    ]);
    expect((await operatorOf(hub)("overview")).body.fiscal).toMatchObject({ receipts: 1, failed: 0 });
    expect((await decide(hub, name, "dismiss")).status).toBe(200);
    expect((await fiscalOf(hub)).receipts).toEqual([]);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ reasons: [] });
    const { entries } = (await operatorOf(hub)("orderTimeline", { params: { posReference: name } })).body;
    expect(entries).toContainEqual(expect.objectContaining({ kind: "operator", action: "fiscal.dismiss" }));
    expect((await decide(hub, name, "dismiss")).status).toBe(404);
  });
});

describe("signed receipts ", () => {
  /** Pays an order whose receipt is signed now; the tax office answers 10 min later. The test advances the clock. */
  async function signAt(fiscal: string) {
    let ahead = 0;
    const real = realWorld(pino({ level: "silent" }));
    const world = { clock: { ...real.clock, now: () => Date.now() + ahead } };
    const { hub, till } = await startWith(fiscal, {}, { world });
    await quirk(hub.backOffice, fiscal, { date: "none", fiscalAfterMs: 600_000 });
    const name = newReference();
    const { ncf } = await pay(till, name);
    const first = (await closed(hub, name)).fiscal.ecf;
    expect(first).toEqual({ ncf, ...signed, status: "signed" });
    expect(await fiscalOf(hub)).toMatchObject({ signing: 0, receipts: [] });
    return { hub, till, name, first, advance: (ms: number) => (ahead += ms) };
  }

  /** Waits for three lookups of another pending receipt. Any other receipt that is due is looked up in that time too. */
  async function waitForLookups(hub: TestHub, till: TestTerminal): Promise<void> {
    await quirk(hub.backOffice, "never", { date: "none" });
    const other = newReference();
    await pay(till, other);
    await closed(hub, other);
    await until("it to be asked for", async () => (await countLookups(hub, other)) > 2);
  }

  it("a signed receipt is looked up with long pauses, and a later rejection needs attention [ECF-80, ECF-81, ECF-6]", async () => {
    const { hub, till, name, first, advance } = await signAt("rejected-later");
    advance(50_000);
    await waitForLookups(hub, till);
    expect(await countLookups(hub, name)).toBe(0);
    await quirk(hub.backOffice, "rejected-later", { date: "none", fiscalAfterMs: 600_000 });
    advance(11_000);
    await until("the first question", async () => (await countLookups(hub, name)) === 1);
    await hub.restart();
    advance(100_000);
    await waitForLookups(hub, await hub.terminal({ login: "cashier", deviceId: "till" }));
    expect(await countLookups(hub, name)).toBe(1);
    expect((await snapshotOf(hub, name)).fiscal.ecf).toEqual(first);

    await quirk(hub.backOffice, "rejected-later", { date: "none", fiscalAfterMs: 0 });
    advance(21_000);
    const isListed = ({ posReference }: { posReference: string }) => posReference === name;
    await until("the rejection", async () => (await fiscalOf(hub)).receipts.some(isListed));
    const rejection = "El RNC del comprador no existe en la DGII.";
    expect((await fiscalOf(hub)).receipts.filter(isListed)).toMatchObject([
      { posReference: name, state: "rejected", error: { reason: "receipt_rejected", words: rejection } },
    ]);
    const { status, fiscal } = await snapshotOf(hub, name);
    expect([status, fiscal.ecf]).toEqual(["closed", { ...first, status: "rejected", error: rejection }]);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "degraded", reasons: ["attention"] });
  });

  it("a signed receipt is not looked up once it is accepted, or after 3 days [ECF-80]", async () => {
    const { hub, till, name, first, advance } = await signAt("accepted-later");
    await quirk(hub.backOffice, "accepted-later", { date: "none", fiscalAfterMs: 0 });
    advance(61_000);
    const message = await till.next("ORDER_CHANGED", ({ order }) => order.snapshot.fiscal?.ecf?.status === "accepted");
    expect(message).toMatchObject({ posReference: name, origin: "hub" });
    expect(message.order.snapshot.fiscal?.ecf).toEqual({ ...first, status: "accepted" });

    await quirk(hub.backOffice, "accepted-later", { date: "none", fiscalAfterMs: 30 * DAY });
    const second = newReference();
    await pay(till, second);
    await closed(hub, second);
    advance(3 * DAY);
    await until("the last question", async () => (await countLookups(hub, second)) === 1);
    advance(7 * 3_600_000);
    await waitForLookups(hub, till);
    expect([await countLookups(hub, name), await countLookups(hub, second)]).toEqual([1, 1]);
    expect((await fiscalOf(hub)).receipts).toEqual([]);
  });
});

describe("receipts with another number ", () => {
  it("a receipt with another number is a conflict, and the order keeps its first number [ECF-5, ECF-13]", async () => {
    const { hub, till } = await startWith("other");
    const name = newReference();
    const buyer = { rnc: "131246789", name: "Constructora" };
    const { ncf = "" } = await pay(till, name, { type: "E31", ...buyer });
    const other = `E319${ncf.slice(4)}`;
    const snapshot = await closed(hub, name);
    expect(snapshot).toMatchObject({ ncf, fiscal: { status: "assigned", errorCode: "NCF_CONFLICT" } });
    expect(snapshot.fiscal.ecf).toEqual({ ncf: other, status: "accepted" });
    expect((await fiscalOf(hub)).receipts).toMatchObject([
      {
        posReference: name,
        ...buyer,
        state: "conflict",
        errorCode: "NCF_CONFLICT",
        error: { values: { ncf: other, own: ncf } },
      },
    ]);
    await decide(hub, name, "retry");
    expect((await fiscalOf(hub)).receipts).toMatchObject([{ posReference: name, state: "conflict" }]);
    await quirk(hub.backOffice, "signed");
    const { body } = await decide(hub, name, "retry");
    expect(body).toMatchObject({ ncf, fiscal: { ecf: { ncf, ...signed, qrUrl: expect.any(String) } } });
    expect(body.fiscal.errorCode).toBeUndefined();
  });

  it("an order without a number takes the receipt's number [ECF-4]", async () => {
    const { hub, till } = await startWith("other");
    const name = newReference();
    expect((await pay(till, name, {})).fiscal).toMatchObject({ status: "none" });
    const { ncf, fiscal } = await closed(hub, name);
    expect(ncf).toMatch(/^E32\d{10}$/);
    expect(fiscal).toMatchObject({ status: "assigned", type: "E32", ecf: { ncf, ...signed } });
    // The number now counts as used, so another order cannot carry it.
    const another = newReference();
    await till.change({ type: "ORDER_UPSERT", posReference: another, baseVersion: 0, snapshot: terminalSnapshot() });
    const payments = [{ methodId: 1, amount: 100 }];
    await expect(
      till.change({ type: "ORDER_PAY", posReference: another, baseVersion: 1, payments, ncf }),
    ).rejects.toThrow(/NCF_IN_USE/);
  });

  it("a receipt with the number of another order is a conflict [ECF-5]", async () => {
    const { hub, till } = await startWith("signed", {}, { ownBackOffice: true });
    const [first, second] = [newReference(), newReference()];
    const { ncf } = await pay(till, first);
    await closed(hub, first);
    const results = [{ eventId: 2, status: "finalized", orderId: 9, fiscal: { ncf, securityCode: "aaaaaa" } }];
    await hub.backOffice.control("POST", "/faults", {
      faults: [{ path: "/pos-api/v1/hub/batch-sync", action: "status", status: 200, body: { results } }],
    });
    await pay(till, second, {});
    const snapshot = await closed(hub, second);
    expect(snapshot.ncf).toBeUndefined();
    expect(snapshot.fiscal).toMatchObject({ errorCode: "NCF_CONFLICT", ecf: { ncf } });
  });
});

it.each([
  ["has another number at the back-office", "other", "NCF_CONFLICT"],
  ["is rejected by the tax office", "rejected", null],
])("the day cannot be closed while a receipt %s [TILL-32]", async (_, fiscal, errorCode) => {
  const { hub, till } = await startWith(fiscal, {}, { ownBackOffice: true });
  const operator = operatorOf(hub);
  const name = newReference();
  await pay(till, name);
  await closed(hub, name);
  const { body } = await operator("closing");
  expect(body).toMatchObject({
    ready: false,
    pendingFiscal: [{ posReference: name, type: "E32", errorCode, solvedBy: { role: "manager", userName: null } }],
  });
  await decide(hub, name, "dismiss");
  expect((await operator("closing")).body).toMatchObject({ ready: true, pendingFiscal: [] });
});

it.each([
  ["nothing that can be read", "signed"],
  ["unknown fields", { status: "on its way", colour: "red", securityCode: 7, signedAt: "soon", qrUrl: "javascript:1" }],
  ["another kind of number", { ncf: "42", status: "signed" }],
])("an order is closed although its receipt has %s [ECF-7]", async (_, fiscal) => {
  const { hub, till } = await startWith("never", {}, { ownBackOffice: true });
  const results = [{ eventId: 1, status: "finalized", orderId: 9, fiscal }];
  await hub.backOffice.control("POST", "/faults", {
    faults: [{ path: "/pos-api/v1/hub/batch-sync", action: "status", status: 200, body: { results } }],
  });
  const name = newReference();
  const { ncf } = await pay(till, name);
  const snapshot = await closed(hub, name);
  expect(snapshot.ncf).toBe(ncf);
  expect(snapshot.fiscal.errorCode).toBeUndefined();
  expect(snapshot.fiscal.ecf ?? {}).not.toHaveProperty("securityCode");
  expect(snapshot.fiscal.ecf ?? {}).not.toHaveProperty("qrUrl");
});

it.each([
  ["without a zone as Odoo writes it", "2026-11-28 00:10:03", "2026-11-28T00:10:03.000Z"],
  ["without a zone in ISO 8601", "2026-11-28T00:10:03.250600", "2026-11-28T00:10:03.250Z"],
  ["of the house's zone", "2026-11-27T20:10:03-04:00", "2026-11-28T00:10:03.000Z"],
  ["with the day first, which may be read as the month, not at all", "05-11-2026 20:10:03", undefined],
])("the time of signature %s is stored as UTC or left out [ECF-172]", async (_, signedAt, stored) => {
  const { hub, till } = await startWith("never", {}, { ownBackOffice: true });
  const fiscal = { securityCode: "aB3xY9", signedAt, status: "accepted" };
  const results = [{ eventId: 1, status: "finalized", orderId: 9, fiscal }];
  await hub.backOffice.control("POST", "/faults", {
    faults: [{ path: "/pos-api/v1/hub/batch-sync", action: "status", status: 200, body: { results } }],
  });
  const name = newReference();
  await pay(till, name);
  expect((await closed(hub, name)).fiscal.ecf?.signedAt).toBe(stored);
});

it("a receipt dismissed by a manager is not listed again after a restore [FISC-321]", async () => {
  const { hub, till } = await startWith("rejected", {}, { ownBackOffice: true });
  const [settled, open] = [newReference(), newReference()];
  for (const name of [settled, open]) {
    await pay(till, name);
    await closed(hub, name);
  }
  const restore = await backUp(hub);
  await decide(hub, settled, "dismiss");
  const later = newReference();
  await pay(till, later);
  await closed(hub, later);
  await decide(hub, later, "dismiss");
  await restore();
  expect((await fiscalOf(hub)).receipts).toMatchObject([{ posReference: open }]);
  expect((await operatorOf(hub)("closing")).body).toMatchObject({ pendingFiscal: [{ posReference: open }] });
  expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toMatchObject({ refused: [] });
  expect((await closed(hub, later)).fiscal.ecf).toMatchObject({ status: "rejected" });
  expect(await fiscalOf(hub)).toMatchObject({ signing: 0, receipts: [{ posReference: open }] });
});

it.each([
  ["to be signed", "never", 1],
  ["to be accepted", "accepted-later", 0],
])("a receipt still %s cannot be retried or dismissed [FISC-330]", async (_, fiscal, signing) => {
  const { hub, till } = await startWith(fiscal, {}, { ownBackOffice: true });
  await quirk(hub.backOffice, fiscal, { fiscalAfterMs: 600_000 });
  const name = newReference();
  await pay(till, name);
  await closed(hub, name);
  for (const action of ["retry", "dismiss"]) {
    expect(await decide(hub, name, action)).toMatchObject({ status: 409, body: { errorCode: "CONFLICT" } });
  }
  expect(await fiscalOf(hub)).toMatchObject({ signing, receipts: [] });
  const { entries } = (await operatorOf(hub)("audit")).body;
  expect(entries).not.toContainEqual(expect.objectContaining({ target: name }));
  await quirk(hub.backOffice, "signed");
  if (signing === 1) await until("its code", async () => (await fiscalOf(hub)).signing === 0);
});

describe("a back-office without receipts ", () => {
  it("a back-office without receipts is asked only for the newest order, and nothing needs attention [ECF-11]", async () => {
    let ahead = 0;
    const real = realWorld(pino({ level: "silent" }));
    const world = { clock: { ...real.clock, now: () => Date.now() + ahead } };
    const { hub, till } = await startWith("none", {}, { world, ownBackOffice: true });
    await quirk(hub.backOffice, "none", { date: "none" });
    const names = [newReference(), newReference(), newReference()];
    for (const name of names) {
      await pay(till, name);
      await closed(hub, name);
    }
    const [first = "", , last = ""] = names;
    const before = await countLookups(hub, first);
    await until("the newest to be asked for", async () => (await countLookups(hub, last)) > 3);
    expect(await countLookups(hub, first)).toBe(before);
    ahead = DAY;
    await until("nothing to be asked for", async () => (await fiscalOf(hub)).signing === 0);
    expect((await fiscalOf(hub)).receipts).toEqual([]);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ reasons: [] });
  });
});

describe("contingency ", () => {
  it("orders and credit notes in contingency get paper numbers and are listed for a manager [ECF-12, ECF-13]", async () => {
    const { settingsHost } = settingsInMemory();
    const { hub, till } = await startWith("signed", {}, { settingsHost });
    const [signedBefore, alsoBefore] = [newReference(), newReference()];
    await pay(till, signedBefore);
    const line = { productId: 101, quantity: 1, unitPrice: 100, total: 100 };
    const lines = [
      { ...line, id: "a" },
      { ...line, id: "v", voided: true },
    ];
    await pay(till, alsoBefore, { type: "E32" }, { lines });
    for (const name of [signedBefore, alsoBefore]) await closed(hub, name);
    const change = (value: string) =>
      operatorOf(hub)("changeSettings", { body: { values: { HUB_FISCAL_CONTINGENCY: value } } });
    expect((await change("true")).body).toMatchObject({ restartNeeded: false });

    const names = [newReference(), newReference(), newReference()];
    const [consumer = "", taxpayer = "", onPaper = ""] = names;
    const answers = [
      await pay(till, consumer),
      await pay(till, taxpayer, { type: "E31", rnc: "131246789", name: "Constructora" }),
      await pay(till, onPaper, { type: "B02" }),
    ];
    expect(answers.map(({ ncf }) => ncf?.slice(0, 3))).toEqual(["B02", "B01", "B02"]);
    const flags = await Promise.all(names.map(async (name) => (await closed(hub, name)).fiscal.contingency));
    expect(flags).toEqual([true, true, undefined]);
    expect(await fiscalOf(hub)).toMatchObject({
      isContingency: true,
      contingency: [
        { posReference: consumer, ncf: answers[0]?.ncf, type: "B02" },
        { posReference: taxpayer, ncf: answers[1]?.ncf, type: "B01" },
      ],
      receipts: [],
    });
    expect((await hub.send("GET", "/health")).body).toMatchObject({ reasons: [] });

    // The credit note of an earlier electronic receipt is on paper, too.
    const refunded = await operatorOf(hub)("refund", {
      params: { posReference: signedBefore },
      body: { refundId: crypto.randomUUID(), reason: "returned", refund: [{ methodId: 1, amount: 100 }] },
    });
    expect(refunded.body.refund.ncf).toMatch(/^B04/);
    const request = { token: await hub.signIn("manager"), body: { posReference: alsoBefore } };
    const note = (await terminalApiOf(hub)("creditNote", request)).body;
    expect(note.ncf).toMatch(/^B04/);
    const { contingency } = (await fiscalOf(hub)) as FiscalStatus;
    const listed = contingency.map(({ posReference, type, ncf }) => [posReference, type, ncf]);
    expect(listed).toEqual([
      [consumer, "B02", answers[0]?.ncf],
      [taxpayer, "B01", answers[1]?.ncf],
      [signedBefore, "B04", refunded.body.refund.ncf],
      [alsoBefore, "B04", note.ncf],
    ]);
    const settleNote = (ncf: string | null | undefined) =>
      operatorOf(hub)("decideNumber", {
        params: { posReference: signedBefore },
        body: { action: "dismiss", ncf: ncf ?? "" },
      });
    expect((await settleNote(note.ncf)).status).toBe(404);
    expect((await settleNote(refunded.body.refund.ncf)).status).toBe(200);

    await change("false");
    const after = newReference();
    expect((await pay(till, after)).ncf).toMatch(/^E32/);
    await decide(hub, consumer, "dismiss");
    expect(await fiscalOf(hub)).toMatchObject({
      isContingency: false,
      contingency: [{ posReference: taxpayer }, { posReference: alsoBefore }],
    });
    await decide(hub, alsoBefore, "dismiss");
    expect((await fiscalOf(hub)).contingency).toMatchObject([{ posReference: taxpayer }]);
  });

  it("contingency orders and their dismissals survive a restore [ECF-12]", async () => {
    const { hub, till } = await startWith("signed", { HUB_FISCAL_CONTINGENCY: "true", HUB_STATE_POLL_MS: "200" });
    const [settled, open, later] = [newReference(), newReference(), newReference()];
    for (const name of [settled, open]) await pay(till, name);
    for (const name of [settled, open]) await closed(hub, name);
    const restore = await backUp(hub);
    await decide(hub, settled, "dismiss");
    await pay(till, later);
    await closed(hub, later);
    const referencesOf = async () =>
      ((await fiscalOf(hub)) as FiscalStatus).contingency.map(({ posReference }) => posReference);
    expect(await referencesOf()).toEqual([open, later]);
    await restore();
    expect(await referencesOf()).toEqual([open, later]);
    const { entries } = (await operatorOf(hub)("audit")).body;
    expect(entries).toContainEqual(expect.objectContaining({ action: "fiscal.dismiss", target: settled }));
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toMatchObject({ refused: [] });
    expect(await referencesOf()).toEqual([open, later]);
  });

  it("a dismissed contingency order is not listed again once it is booked [ECF-12, ECF-13]", async () => {
    const { hub, till } = await startWith("signed", { HUB_FISCAL_CONTINGENCY: "true", HUB_FORWARD_INTERVAL_MS: "200" });
    await hub.backOffice.control("POST", "/faults", {
      faults: [{ path: finalize, times: 2, action: "status", status: 503, body: { error: "later" } }],
    });
    const posReference = newReference();
    await pay(till, posReference);
    expect(await fiscalOf(hub)).toMatchObject({ contingency: [{ posReference }] });
    // A paper receipt has no lookup to retry.
    expect((await decide(hub, posReference, "retry")).status).toBe(404);
    expect(await fiscalOf(hub)).toMatchObject({ contingency: [{ posReference }], signing: 0 });
    expect((await decide(hub, posReference, "dismiss")).status).toBe(200);
    await hub.backOffice.control("DELETE", "/faults");
    await closed(hub, posReference);
    expect(await fiscalOf(hub)).toMatchObject({ contingency: [] });
  });

  it("a contingency credit note whose check is missing can be dismissed [ECF-13]", async () => {
    const hub = await startTestHub();
    const db = new Database(hub.dbPath);
    onTestFinished(() => void db.close());
    const tx: Tx = { now: 1, firstSeq: 1, nextSeq: () => 1, emit: () => {}, notify: () => {}, onUndo: () => {} };
    const refunds = createRefundStore(db);
    const [refundId, posReference, ncf] = ["of-before", newReference(), "B0400000007"];
    const at = "2026-11-26T18:00:00.000Z";
    const fields = { refundId, state: "made", at, madeAt: at, ncf, by: "Marisol", terminalId: "caja" } as const;
    const refund = { ...fields, reason: null, lines: [], amount: 100, refund: [] };
    refunds.save(tx, { posReference, asksAll: true, isInDoubt: false, refund });
    refunds.noteContingency(tx, refundId, true);
    expect(await fiscalOf(hub)).toMatchObject({ contingency: [{ posReference, type: "B04", ncf }] });
    const settled = await operatorOf(hub)("decideNumber", {
      params: { posReference },
      body: { action: "dismiss", ncf },
    });
    expect(settled).toMatchObject({ status: 200, body: { posReference, version: 0, fiscal: { status: "none" } } });
    expect(await fiscalOf(hub)).toMatchObject({ contingency: [] });
    expect((await decide(hub, posReference, "dismiss")).status).toBe(404);
  });
});

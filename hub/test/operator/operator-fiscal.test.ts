import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const quick = { HUB_FORWARD_INTERVAL_MS: "200", HUB_STATE_POLL_MS: "200" };
const note = "/pos-api/v1/orders/credit-note";

let count = 0;
const newReference = (): string => `NOTE-${(count += 1)}`;

/** Pays a check with one voided line. Resolves when accounting has it. */
async function sell(till: TestTerminal, overrides: Record<string, unknown>): Promise<{ name: string; ncf: string }> {
  const posReference = newReference();
  const lines = [
    { id: "a", productId: 101, quantity: 1, unitPrice: 100, total: 100 },
    { id: "b", productId: 102, quantity: 1, unitPrice: 40, total: 40, voided: true },
  ];
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot({ lines }) });
  const payments = [{ methodId: 1, amount: 100 }];
  const { ncf = "" } = await till.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments, ...overrides });
  return { name: posReference, ncf };
}

const closed = (till: TestTerminal, name: string) =>
  till.next("ORDER_CHANGED", ({ order }) => order.posReference === name && order.snapshot.status === "closed");

const creditNote = async (hub: TestHub, posReference: string) =>
  terminalApiOf(hub)("creditNote", { token: await hub.signIn("manager"), body: { posReference } });

describe("credit notes", () => {
  it("a credit note is made with the user's own session, and is on the order's timeline [FISC-50, OP-143]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { name, ncf } = await sell(till, { fiscal: { type: "E32" } });
    await closed(till, name);
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "hard" });
    const created = await creditNote(hub, name);
    expect(created).toMatchObject({
      status: 200,
      body: { pos_reference: name, ncf: expect.stringMatching(/^E34\d{10}$/), modifies: ncf, total: 100 },
    });
    expect(created.body.lines).toHaveLength(1);
    const { entries } = (await operatorOf(hub)("orderTimeline", { params: { posReference: name } })).body;
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: "credit_note", userName: "Marisol Peña", ncf: created.body.ncf, total: 100 }),
    );
    const { creditNotes } = (await operatorOf(hub)("order", { params: { posReference: name } })).body;
    expect(creditNotes).toEqual([
      {
        at: expect.any(String),
        userName: "Marisol Peña",
        ncf: created.body.ncf,
        total: 100,
        amount: 100,
        refund: [],
        reason: null,
      },
    ]);
    // The credit note's number counts as used, too.
    const other = await sell(till, { ncf: created.body.ncf }).catch((error: unknown) => error);
    expect(other).toMatchObject({ errorCode: "NCF_IN_USE" });
  });

  it("a refused credit note carries the back-office's error [FISC-52]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { name: bare } = await sell(till, {});
    await closed(till, bare);
    expect(await creditNote(hub, bare)).toMatchObject({
      status: 409,
      body: { errorCode: "ORDER_HAS_NO_NCF", error: expect.stringContaining(bare) },
    });
    const { name } = await sell(till, { fiscal: { type: "E32" } });
    await closed(till, name);
    await creditNote(hub, name);
    expect(await creditNote(hub, name)).toMatchObject({ status: 409, body: { errorCode: "ALREADY_CREDITED" } });
    expect(await creditNote(hub, "NEVER")).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    await hub.backOffice.control("POST", "/faults", { faults: [{ path: note, action: "drop-before" }] });
    expect(await creditNote(hub, name)).toMatchObject({ status: 503, body: { errorCode: "UPSTREAM_UNAVAILABLE" } });
  });
});

describe("remaining fiscal numbers", () => {
  it("remaining fiscal numbers are shown by type, and a type without numbers makes the hub degraded [OP-120, OP-121, HUB-60]", async () => {
    const hub = await startTestHub({ env: quick, ownBackOffice: true });
    const operator = operatorOf(hub);
    const stateOf = async (type: string) => {
      const { sequences } = (await operator("fiscal")).body;
      return sequences?.find((sequence: { type: string }) => sequence.type === type);
    };
    const first = await until("the sequences", () => stateOf("B02"));
    expect(first).toEqual({
      type: "B02",
      prefix: "B02",
      left: expect.any(Number),
      expiresOn: expect.stringMatching(/^\d{4}-/),
      state: "ok",
    });
    const stream = await openStream(hub);
    await hub.backOffice.control("POST", "/ncf", { type: "B02", remaining: 200 });
    await until("the warning", async () => (await stateOf("B02")).state === "low");
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "ok", reasons: [] });
    await hub.backOffice.control("POST", "/ncf", { type: "B02", remaining: 0 });
    const isUsedUp = async () => (await operator("overview")).body.reasons.includes("fiscal_numbers");
    while (!(await isUsedUp())) await stream.changed("overview");
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "degraded", reasons: ["fiscal_numbers"] });
    expect((await operator("overview", { token: null })).body).toMatchObject({
      fiscal: { pending: 0, failed: 0, sequences: expect.arrayContaining([{ ...first, left: 0, state: "used_up" }]) },
    });
    await hub.backOffice.control("POST", "/ncf", { type: "B02", remaining: 500 });
    await hub.backOffice.control("POST", "/ncf-expiry", { type: "B02", expiresOn: "2020-12-31" });
    await until("the end of the sequence", async () => (await stateOf("B02")).state === "expired");
    expect((await hub.send("GET", "/health")).body).toMatchObject({ reasons: ["fiscal_numbers"] });
  });

  it("the fiscal sequences are null when the back-office does not report them [OP-120]", async () => {
    const hub = await startTestHub({ env: { ERP_USER: "" } });
    expect((await operatorOf(hub)("fiscal")).body).toMatchObject({
      sequences: null,
      pending: 0,
      failed: [],
      unclear: [],
    });
  });
});

describe("decisions about fiscal numbers", () => {
  it("only a manager decides about a fiscal number, only while an order waits, and it is audited [OP-122]", async () => {
    const hub = await startTestHub({ env: quick });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { name } = await sell(till, { fiscal: { type: "B01" } });
    const decide = (body: unknown, token?: string) =>
      operatorOf(hub)("decideNumber", {
        params: { posReference: name },
        body,
        ...(token !== undefined && { token }),
      });
    expect(await decide({ action: "skip" }, await hub.signIn("cashier"))).toMatchObject({ status: 403 });
    expect(await decide({ action: "sell" })).toMatchObject({ status: 400 });
    expect(await decide({ action: "retry", type: "E32" })).toMatchObject({
      status: 200,
      body: { fiscal: { status: "assigned", type: "E32" } },
    });
    expect(await decide({ action: "skip" })).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    const { entries } = (await operatorOf(hub)("audit")).body;
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: "fiscal.retry",
        target: name,
        userName: "Marisol Peña",
        note: { words: "E32" },
      }),
    );
  });
});

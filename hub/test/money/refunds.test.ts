import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Refund, sentence, type StoredOrder } from "@comanda/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { backUp } from "../data-file/restore-steps.ts";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub, type TestBackOffice, type TestHub, type TestHubOptions } from "../support/start-test-hub.ts";
import { startHubProgram } from "../support/start-hub-program.ts";
import { startWithPins } from "../support/start-with-pins.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

const quick = { HUB_FORWARD_INTERVAL_MS: "200", HUB_STATE_POLL_MS: "200" };
const NOTE = "/pos-api/v1/orders/credit-note";
const CASH = 1;
const CARD = 2;

const lines = [
  { id: "m", productId: 101, quantity: 2, unitPrice: 100, total: 200 },
  { id: "f", productId: 102, quantity: 1, unitPrice: 50, total: 50 },
];

let count = 0;

interface Sold {
  till: TestTerminal;
  posReference: string;
  ncf: string;
}

/** Sells a check with a fiscal number and waits until accounting has it. */
async function sell(hub: TestHub, till: TestTerminal, more: Record<string, unknown> = {}): Promise<Sold> {
  const posReference = `SALE-${(count += 1)}`;
  const snapshot = terminalSnapshot({ lines, ...more });
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
  await till.change({ type: "ORDER_SEND", posReference });
  const payments = [{ methodId: CASH, amount: 250 }];
  const { ncf = "" } = await till.change({
    type: "ORDER_PAY",
    posReference,
    baseVersion: 2,
    payments,
    fiscal: { type: "E32" },
  });
  await until("accounting has it", async () => (await orderOf(hub, posReference)).snapshot.status === "closed");
  return { till, posReference, ncf };
}

async function startHub(options: TestHubOptions = {}) {
  const hub = await startTestHub({ env: quick, ...options });
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  const manager = await hub.signIn("manager");
  const call = terminalApiOf(hub);
  const refund = (body: object, token = manager) => call("refund", { token, body });
  await until("the back-office's configuration", async () => (await call("menu")).body.creditNotes !== undefined);
  return { hub, till, call, refund };
}

async function orderOf(hub: TestHub, posReference: string): Promise<StoredOrder> {
  return (await operatorOf(hub)("order", { params: { posReference } })).body.order;
}

async function refundsOf(hub: TestHub, posReference: string): Promise<Refund[]> {
  return (await orderOf(hub, posReference)).snapshot.refunds ?? [];
}

/** Returns the back-office's credit note requests and the numbers of the notes. */
async function notesAt(backOffice: TestBackOffice, posReference: string) {
  const { requests } = await backOffice.control("GET", "/requests");
  const { numbers } = await backOffice.control("GET", "/ncf");
  const noteRequests = requests.filter(
    ({ path: target, body }: { path: string; body: { pos_reference?: string } }) =>
      target === NOTE && body.pos_reference === posReference,
  );
  const isNote = (each: { type: string; posReference: string }) =>
    each.type === "E34" && each.posReference === posReference;
  return { requests: noteRequests.map(({ body }: { body: object }) => body), numbers: numbers.filter(isNote) };
}

const part = (posReference: string, more: object = {}) => ({
  posReference,
  refundId: crypto.randomUUID(),
  lines: [{ lineId: "m", quantity: 1 }],
  reason: "no le gustó",
  refund: [{ methodId: CASH, amount: 100 }],
  ...more,
});

const refusedWith = (status: number, errorCode: string) => ({ status, body: { errorCode } });
const faults = (hub: TestHub, ...list: object[]) => hub.backOffice.control("POST", "/faults", { faults: list });

describe("a refund", () => {
  it("a refund credits the named lines, is broadcast, and changes neither kitchen nor accounting [FISC-310, FISC-302]", async () => {
    const { hub, till, refund } = await startHub();
    const { posReference, ncf } = await sell(hub, till);
    const waiter = await hub.terminal({ login: "waiter", deviceId: "tablet" });
    const before = await orderOf(hub, posReference);
    const tickets = waiter.sync.tickets;

    const first = await refund(part(posReference));
    expect(first).toMatchObject({
      status: 200,
      body: {
        refund: {
          state: "made",
          by: "Marisol Peña",
          reason: "no le gustó",
          lines: [{ lineId: "m", quantity: 1 }],
          amount: 100,
          refund: [{ methodId: CASH, amount: 100 }],
          ncf: expect.stringMatching(/^E34\d{10}$/),
          modifies: ncf,
          total: 100,
        },
      },
    });
    const change = await waiter.next("ORDER_CHANGED", ({ order }) => order.snapshot.refunds !== undefined);
    expect(change.order).toMatchObject({ posReference, snapshot: { status: "closed", refunds: [first.body.refund] } });

    const remainder = part(posReference, { lines: undefined, refund: [{ methodId: CASH, amount: 150 }] });
    expect((await refund(remainder)).body.refund).toMatchObject({
      amount: 150,
      lines: [
        { lineId: "m", quantity: 1 },
        { lineId: "f", quantity: 1 },
      ],
    });
    expect(await refund(part(posReference))).toMatchObject(refusedWith(409, "ALREADY_CREDITED"));

    const after = await orderOf(hub, posReference);
    expect(after.forward).toEqual(before.forward);
    expect(after.snapshot).toMatchObject({ lines: before.snapshot.lines, totals: before.snapshot.totals });
    expect((await hub.terminal({ login: "waiter", deviceId: "other" })).sync.tickets).toEqual(tickets);
    const operator = operatorOf(hub);
    const { versions } = (await operator("orderVersions", { params: { posReference } })).body;
    expect(versions.map(({ kind }: { kind: string }) => kind).slice(-3)).toEqual(["closed", "refunded", "refunded"]);
    const { entries } = (await operator("orderTimeline", { params: { posReference } })).body;
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: "credit_note", ncf: first.body.refund.ncf, amount: 100, reason: "no le gustó" }),
    );
    const recent = await terminalApiOf(hub)("recentOrders");
    expect(recent.body.orders[0].snapshot.refunds).toHaveLength(2);
    const { requests } = await notesAt(hub.backOffice, posReference);
    expect(requests[0]).toEqual({
      pos_reference: posReference,
      lines: [{ lineId: "m", quantity: 1 }],
      refundId: first.body.refund.refundId,
      total: 100,
      refund: [{ methodId: CASH, amount: 100 }],
      reason: "no le gustó",
    });
    const sent = (await hub.backOffice.control("GET", "/audit-events")).events;
    expect(sent.filter((event: { posReference: string }) => event.posReference === posReference)).toHaveLength(1);
  });

  it("an electronic credit note keeps the receipt data only for its own number [FISC-120]", async () => {
    const { hub, till, refund } = await startHub();
    const { posReference } = await sell(hub, till);
    const { ncf, ecf } = (await refund(part(posReference))).body.refund;
    expect(ecf).toEqual({
      ncf,
      securityCode: expect.stringMatching(/^\w{6}$/),
      signedAt: expect.any(String),
      qrUrl: expect.stringContaining(`https://ecf.dgii.gov.do/ecf/ConsultaTimbre?`),
      status: "accepted",
    });
    expect((await refundsOf(hub, posReference)).at(-1)).toMatchObject({ ncf, ecf });
    for (const [index, fiscal] of [{ ncf: "E340000009999", securityCode: "aaaaaa" }, "signed"].entries()) {
      const note = `E34000000888${index}`;
      const body = {
        id: 90 + index,
        pos_reference: posReference,
        ncf: note,
        modifies: "E320000000001",
        lines: [],
        total: 50,
        fiscal,
      };
      await faults(hub, { path: NOTE, action: "status", status: 200, body });
      const creditedLines = index === 0 ? [{ lineId: "f", quantity: 1 }] : [{ lineId: "m", quantity: 1 }];
      const answer = await refund(
        part(posReference, { lines: creditedLines, refund: [{ methodId: CASH, amount: index === 0 ? 50 : 100 }] }),
      );
      expect(answer.body.refund).toMatchObject({ state: "made", ncf: note });
      expect(answer.body.refund.ecf).toBeUndefined();
    }
    await hub.backOffice.control("DELETE", "/faults");
  });

  it("a refund stands when the tax office rejects its note, and the feed shows it [FISC-121]", async () => {
    const { hub, till, refund } = await startHub();
    const { posReference } = await sell(hub, till);
    await hub.backOffice.control("POST", "/quirks", { fiscal: "rejected" });
    onTestFinished(() => hub.backOffice.control("POST", "/quirks", { fiscal: "signed" }));
    const { state, ecf } = (await refund(part(posReference))).body.refund;
    const rejection = "El RNC del comprador no existe en la DGII.";
    expect([state, ecf]).toEqual(["made", { ncf: expect.any(String), status: "rejected", error: rejection }]);
    const { entries } = (await operatorOf(hub)("feed")).body;
    expect(entries).toContainEqual(
      expect.objectContaining({
        kind: "fiscal_receipt",
        level: "bad",
        detail: { posReference, said: expect.objectContaining({ reason: "receipt_rejected", words: rejection }) },
      }),
    );
  });

  it("a repeated refund request makes one note [FISC-311]", async () => {
    const { hub, till, refund } = await startHub();
    const { posReference } = await sell(hub, till);
    const same = part(posReference);
    const answers = await Promise.all([refund(same), refund(same), refund(same)]);
    const [{ body }] = answers;
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, body: { refund: { ncf: body.refund.ncf } } });
    await hub.restart();
    expect((await refund(same)).body).toEqual(body);
    expect((await notesAt(hub.backOffice, posReference)).numbers).toHaveLength(1);
    expect(await refundsOf(hub, posReference)).toHaveLength(1);
    const others = [
      { ...same, lines: [{ lineId: "f", quantity: 1 }], refund: [{ methodId: CASH, amount: 50 }] },
      { ...same, refund: [{ methodId: CARD, amount: 100 }] },
      {
        ...same,
        posReference: (await sell(hub, await hub.terminal({ login: "cashier", deviceId: "till" }))).posReference,
      },
    ];
    for (const other of others) expect(await refund(other)).toMatchObject(refusedWith(400, "VALIDATION_ERROR"));
  });

  it("a refused refund leaves nothing behind [FISC-303, FISC-306, FISC-312]", async () => {
    const { hub, till, refund } = await startHub();
    const { posReference } = await sell(hub, till);
    await till.change({
      type: "ORDER_UPSERT",
      posReference: "OPEN",
      baseVersion: 0,
      snapshot: terminalSnapshot({ lines }),
    });
    for (const [body, status, code] of [
      [part("OPEN"), 400, "VALIDATION_ERROR"],
      [part("NEVER"), 404, "NOT_FOUND"],
      [part(posReference, { lines: [{ lineId: "x", quantity: 1 }] }), 404, "NOT_FOUND"],
      [part(posReference, { lines: [{ lineId: "m", quantity: 3 }] }), 409, "ALREADY_CREDITED"],
      [part(posReference, { refund: [{ methodId: CASH, amount: 99 }] }), 400, "VALIDATION_ERROR"],
      [part(posReference, { refund: [{ methodId: CARD, amount: 100 }] }), 400, "VALIDATION_ERROR"],
      [part(posReference, { reason: "" }), 400, "VALIDATION_ERROR"],
      [part(posReference, { lines: [] }), 400, "VALIDATION_ERROR"],
    ] as const) {
      expect(await refund(body), JSON.stringify(body)).toMatchObject(refusedWith(status, code));
    }
    await hub.backOffice.control("POST", "/ncf", { type: "E34", remaining: 0 });
    const same = part(posReference);
    expect(await refund(same)).toMatchObject(refusedWith(409, "NCF_EXHAUSTED"));
    await hub.backOffice.control("POST", "/ncf", { type: "E34", remaining: 500 });
    expect(await refundsOf(hub, posReference)).toEqual([]);
    expect((await refund(same)).body.refund).toMatchObject({ state: "made", amount: 100 });
  });

  it("a refund of a check without a number, or not yet in accounting, is refused with the reason [FISC-312]", async () => {
    const { hub, till, refund } = await startHub({ ownBackOffice: true });
    await faults(hub, { path: "/pos-api/v1/hub/*", action: "drop-before" });
    const snapshot = terminalSnapshot({ lines });
    await till.change({ type: "ORDER_UPSERT", posReference: "EARLY", baseVersion: 0, snapshot });
    const payments = [{ methodId: CASH, amount: 250 }];
    await till.change({ type: "ORDER_PAY", posReference: "EARLY", baseVersion: 1, payments });
    const same = part("EARLY");
    expect(await refund(same)).toMatchObject({ status: 404, body: { error: expect.stringContaining("yet") } });
    await faults(hub);
    await until("accounting has it", async () => (await orderOf(hub, "EARLY")).snapshot.status === "closed");
    expect(await refund(same)).toMatchObject(refusedWith(409, "ORDER_HAS_NO_NCF"));
    await hub.backOffice.kill();
    expect(await refund(same)).toMatchObject(refusedWith(503, "UPSTREAM_UNAVAILABLE"));
    expect(await refundsOf(hub, "EARLY")).toEqual([]);
  });
});

describe("a refund that got no answer", () => {
  it.each(["drop-after", "drop-before"])(
    "an unanswered refund is pending until it is requested again (%s) [FISC-313]",
    async (action) => {
      const { hub, till, refund } = await startHub({ ownBackOffice: true });
      const { posReference } = await sell(hub, till);
      await faults(hub, { path: NOTE, times: 1, action });
      const same = part(posReference);
      const { status, body } = await refund(same);
      expect([status, body.refund.state]).toEqual([200, "pending"]);
      const change = await till.next("ORDER_CHANGED", ({ order }) => order.snapshot.refunds !== undefined);
      expect(change.order.snapshot.refunds).toEqual([body.refund]);
      const other = part(posReference, {
        lines: [{ lineId: "f", quantity: 1 }],
        refund: [{ methodId: CASH, amount: 50 }],
      });
      expect(await refund(other)).toMatchObject(refusedWith(409, "ORDER_LOCKED"));

      const settled = await refund(same);
      expect(settled.body.refund).toMatchObject({ state: "made", ncf: expect.stringMatching(/^E34/), total: 100 });
      expect((await notesAt(hub.backOffice, posReference)).numbers).toHaveLength(1);
      expect(await refundsOf(hub, posReference)).toEqual([settled.body.refund]);
      expect((await refund(other)).body.refund).toMatchObject({ state: "made", amount: 50 });
    },
  );

  it("a pending refund is withdrawn when the back-office refuses it [FISC-313]", async () => {
    const { hub, till, refund } = await startHub({ ownBackOffice: true });
    const { posReference } = await sell(hub, till);
    await faults(hub, { path: NOTE, times: 1, action: "drop-before" });
    const same = part(posReference);
    expect((await refund(same)).body.refund.state).toBe("pending");
    await hub.backOffice.control("POST", "/ncf", { type: "E34", remaining: 0 });
    expect(await refund(same)).toMatchObject(refusedWith(409, "NCF_EXHAUSTED"));
    expect(await refundsOf(hub, posReference)).toEqual([]);
  });

  it("a refund interrupted by a kill is pending after the restart and makes one note [FISC-314]", async () => {
    const { hub, till } = await startHub({ ownBackOffice: true });
    const { posReference } = await sell(hub, till);
    const folder = mkdtempSync(path.join(tmpdir(), "killed-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, "hub.sqlite");
    await hub.restart(() => copyFileSync(hub.dbPath, file));
    const env = {
      ERP_URL: hub.backOffice.url,
      HUB_DB_PATH: file,
      HUB_HTTP_PORT: "0",
      HUB_LOG_LEVEL: "silent",
      ...quick,
    };
    await faults(hub, { path: NOTE, times: 1, action: "hang-after" });
    const token = await hub.signIn("manager");
    const same = part(posReference);
    const requestRefund = (url: string) =>
      fetch(`${url}/terminal/v1/refunds`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(same),
      });
    const killed = await startHubProgram(env);
    await until("it knows what the back-office takes", async () => {
      const menu = await fetch(`${killed.url}/terminal/v1/menu`, { headers: { authorization: `Bearer ${token}` } });
      return menu.ok && ((await menu.json()) as { creditNotes?: object }).creditNotes !== undefined;
    });
    const interrupted = requestRefund(killed.url).catch(() => null);
    await until(
      "the back-office was asked",
      async () => (await notesAt(hub.backOffice, posReference)).requests.length === 1,
    );
    await killed.end("SIGKILL");
    expect(await interrupted).toBeNull();

    const again = await startHubProgram(env);
    const waiter = await again.terminal(await hub.signIn("waiter"), "tablet");
    const found = waiter.sync.orders.find((order) => order.posReference === posReference);
    expect(found?.snapshot.refunds).toMatchObject([{ refundId: same.refundId, state: "pending", amount: 100 }]);
    const settled = (await (await requestRefund(again.url)).json()) as { refund: Refund };
    expect(settled.refund).toMatchObject({ state: "made", ncf: expect.stringMatching(/^E34/) });
    expect((await notesAt(hub.backOffice, posReference)).numbers).toHaveLength(1);
    await again.end("SIGTERM");
  });
});

describe("a back-office without partial credit notes ", () => {
  async function startPlain() {
    const started = await startHub({ ownBackOffice: true });
    const { hub, call } = started;
    await hub.backOffice.control("POST", "/quirks", { lacks: ["creditNotes"] });
    await until("the hub knows", async () => (await call("menu")).body.creditNotes === undefined);
    return started;
  }
  const withVoid = {
    lines: [...lines, { id: "v", productId: 102, quantity: 1, unitPrice: 40, total: 40, voided: true }],
  };

  it("without partial credit notes, a refund makes one note of the whole check [FISC-304]", async () => {
    const { hub, till, refund } = await startPlain();
    const { posReference } = await sell(hub, till, withVoid);
    expect(await refund(part(posReference))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("whole checks only") },
    });
    const whole = part(posReference, { lines: undefined, refund: [{ methodId: CASH, amount: 250 }] });
    expect((await refund(whole)).body.refund).toMatchObject({ state: "made", isWhole: true, amount: 250, total: 250 });
    expect((await notesAt(hub.backOffice, posReference)).requests).toEqual([{ pos_reference: posReference }]);
    const plain = await sell(hub, till);
    const refusedWhole = await refund({ ...whole, posReference: plain.posReference, refundId: crypto.randomUUID() });
    expect(refusedWhole).toMatchObject(refusedWith(409, "NOTHING_VOIDED"));
  });

  it("a credit note whose answer was lost is made without a known number [FISC-315]", async () => {
    const { hub, till, refund } = await startPlain();
    const { posReference } = await sell(hub, till, withVoid);
    await faults(hub, { path: NOTE, times: 1, action: "drop-after" });
    const whole = part(posReference, { lines: undefined, refund: [{ methodId: CASH, amount: 250 }] });
    expect((await refund(whole)).body.refund.state).toBe("pending");
    expect((await refund(whole)).body.refund).toMatchObject({ state: "made", ncf: null, amount: 250 });
    expect((await notesAt(hub.backOffice, posReference)).numbers).toHaveLength(1);
    expect(await refundsOf(hub, posReference)).toHaveLength(1);
  });

  const wholeOf = (posReference: string) =>
    part(posReference, { lines: undefined, refund: [{ methodId: CASH, amount: 250 }] });

  it("no other credit note is requested while the outcome of the first is unknown [FISC-320]", async () => {
    const { hub, till, call, refund } = await startPlain();
    const { posReference } = await sell(hub, till, withVoid);
    await faults(hub, { path: NOTE, times: 1, action: "drop-before" });
    const whole = wholeOf(posReference);
    expect((await refund(whole)).body.refund.state).toBe("pending");
    const token = await hub.signIn("manager");
    expect(await call("creditNote", { token, body: { posReference } })).toMatchObject(refusedWith(409, "ORDER_LOCKED"));
    expect((await notesAt(hub.backOffice, posReference)).requests).toHaveLength(1);
    const settled = (await refund(whole)).body.refund;
    expect(settled).toMatchObject({ state: "made", ncf: expect.stringMatching(/^E34/) });
    expect(await refundsOf(hub, posReference)).toEqual([settled]);
  });

  it("refunded money counts once where another credit note was made at the same time [FISC-320]", async () => {
    const { hub, till, call, refund } = await startPlain();
    const { posReference } = await sell(hub, till, withVoid);
    const body = { id: 9, pos_reference: posReference, ncf: "E340000009999", lines, total: 250 };
    const credited = { error: "already credited", errorCode: "ALREADY_CREDITED" };
    await faults(
      hub,
      { path: NOTE, times: 1, latencyMs: 1_000, action: "status", status: 200, body },
      { path: NOTE, times: 1, action: "drop-before" },
      { path: NOTE, action: "status", status: 409, body: credited },
    );
    const note = call("creditNote", { token: await hub.signIn("manager"), body: { posReference } });
    const isRequested = async () => (await notesAt(hub.backOffice, posReference)).requests.length === 1;
    await until("the back-office is asked for the first", isRequested);
    const whole = wholeOf(posReference);
    expect((await refund(whole)).body.refund.state).toBe("pending");
    expect(await note).toMatchObject({ status: 200 });
    expect(await refund(whole)).toMatchObject(refusedWith(409, "ALREADY_CREDITED"));
    expect(await refundsOf(hub, posReference)).toMatchObject([{ state: "made", ncf: body.ncf, amount: 250 }]);
  });

  it("refunded money counts where the same credit note was recorded without a way of repayment [FISC-318]", async () => {
    const { hub, till, call, refund } = await startPlain();
    const { posReference } = await sell(hub, till, withVoid);
    const body = { id: 9, pos_reference: posReference, ncf: "E340000009998", lines, total: 250 };
    const answer = { path: NOTE, times: 1, action: "status", status: 200, body };
    await faults(hub, { ...answer, latencyMs: 600 }, { ...answer, latencyMs: 1_500 });
    const note = call("creditNote", { token: await hub.signIn("manager"), body: { posReference } });
    const isRequested = async () => (await notesAt(hub.backOffice, posReference)).requests.length === 1;
    await until("the back-office is asked for the first", isRequested);
    const whole = wholeOf(posReference);
    const refundAnswer = refund(whole);
    expect(await note).toMatchObject({ status: 200 });
    expect(await refundsOf(hub, posReference)).toMatchObject([{ ncf: body.ncf, refund: [] }]);
    const refunded = (await refundAnswer).body.refund;
    expect(refunded).toMatchObject({ refundId: whole.refundId, ncf: body.ncf, refund: whole.refund });
    expect(await refundsOf(hub, posReference)).toEqual([refunded]);
    const { payments } = (await operatorOf(hub)("noShift")).body;
    expect(payments.filter(({ kind }: { kind: string }) => kind === "refund")).toMatchObject([{ amount: -250 }]);
  });
});

describe("permission to refund ", () => {
  async function startWithRoles() {
    const started = await startWithPins(
      { cashier: "4711", manager: "471199", clerk: "889900" },
      { env: quick, ownBackOffice: true },
    );
    const { hub, call, ids, deviceKey } = started;
    await until("the back-office's configuration", async () => (await call("menu")).body.creditNotes !== undefined);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { posReference } = await sell(hub, till);
    const token = await hub.signIn("cashier");
    const refund = (body: object) => call("refund", { token, body });
    const approvalOf = async (login: "manager" | "clerk", pin: string): Promise<string> =>
      (await call("enterPin", { body: { deviceKey, userId: ids[login] ?? 0, pin, for: "approval" } })).body.actorToken;
    return { ...started, posReference, refund, approvalOf };
  }

  it("a refund needs the permission or an approval from somebody who has it [FISC-316, FISC-317]", async () => {
    const { hub, terminal, deviceKey, posReference, refund, approvalOf, actor } = await startWithRoles();
    expect(await refund(part(posReference))).toMatchObject(refusedWith(403, "FORBIDDEN"));
    const clerk = await approvalOf("clerk", "889900");
    expect(await refund(part(posReference, { deviceKey, approval: clerk }))).toMatchObject(
      refusedWith(403, "FORBIDDEN"),
    );
    expect(await refund(part(posReference, { approval: clerk }))).toMatchObject(refusedWith(403, "ACTOR_REFUSED"));

    const approval = await approvalOf("manager", "471199");
    const answer = await refund(part(posReference, { deviceKey, approval }));
    expect(answer.body.refund).toMatchObject({
      state: "made",
      by: "Carlos Jiménez",
      approvedBy: "Marisol Peña",
      terminalId: "tablet",
    });
    const used = part(posReference, { deviceKey, approval });
    expect(await refund(used)).toMatchObject(refusedWith(403, "ACTOR_REFUSED"));
    const { refundId: mutationId } = answer.body.refund;
    const newCheck = { type: "ORDER_UPSERT", posReference: "B", baseVersion: 0, snapshot: terminalSnapshot() };
    expect(await refusal(terminal.change({ ...newCheck, mutationId, approval }))).toMatchObject({
      errorCode: "ACTOR_REFUSED",
    });
    const acting = part(posReference, { deviceKey, actor: await actor("manager") });
    expect((await refund(acting)).body.refund).toMatchObject({ by: "Marisol Peña", terminalId: "tablet" });
    const { requests } = await notesAt(hub.backOffice, posReference);
    expect(requests).toMatchObject([{ onBehalfOf: 6 }, { onBehalfOf: 6 }]);
    const { versions } = (await operatorOf(hub)("orderVersions", { params: { posReference } })).body;
    expect(versions.at(-2)).toMatchObject({ kind: "refunded", userName: "Carlos Jiménez", approvedBy: "Marisol Peña" });
    const { entries } = (await operatorOf(hub)("audit")).body;
    const notes = entries.filter((each: { action: string }) => each.action === "order.credit_note");
    expect(notes).toMatchObject([
      { userName: "Marisol Peña", note: { words: expect.stringMatching(/^E34/) } },
      {
        userName: "Carlos Jiménez",
        note: { ...sentence("note_approved_by", { name: "Marisol Peña" }), words: expect.stringMatching(/^E34/) },
      },
    ]);
  });

  it("an approved refund needs a sign-in where the back-office accepts no approvals [FISC-317]", async () => {
    const { hub, call, deviceKey, posReference, refund, approvalOf } = await startWithRoles();
    await hub.backOffice.control("POST", "/quirks", { lacks: ["creditNotes"] });
    await until("the hub knows", async () => (await call("menu")).body.creditNotes === undefined);
    const approval = await approvalOf("manager", "471199");
    const whole = part(posReference, {
      lines: undefined,
      refund: [{ methodId: CASH, amount: 250 }],
      deviceKey,
      approval,
    });
    expect(await refund(whole)).toMatchObject(refusedWith(403, "CONFIRMATION_NEEDED"));
  });
});

describe("refunded money ", () => {
  it("refunds are subtracted from the session's takings by method, also after a restart [OP-500]", async () => {
    const { hub, till, refund } = await startHub();
    const operator = operatorOf(hub);
    const totals = async () => (await operator("closing")).body.totals;
    await until("the session is known", async () => (await operator("closing")).body.session !== null);
    const { posReference } = await sell(hub, till);
    expect((await totals()).refunds).toBeUndefined();
    await refund(part(posReference));
    const expected = {
      paidOrders: 1,
      paidAmount: 250,
      refunds: { notes: 1, amount: 100 },
      byMethod: [{ methodId: 1, amount: 250, payments: 1, refunded: 100 }],
    };
    expect(await totals()).toMatchObject(expected);
    await hub.restart();
    expect(await totals()).toMatchObject(expected);
  });

  it("a refund does not count before the back-office has made the note [OP-500]", async () => {
    const { hub, till, refund } = await startHub({ ownBackOffice: true });
    const operator = operatorOf(hub);
    await until("the session is known", async () => (await operator("closing")).body.session !== null);
    const { posReference } = await sell(hub, till);
    await faults(hub, { path: NOTE, times: 1, action: "drop-after" });
    const same = part(posReference);
    await refund(same);
    expect((await operator("closing")).body.totals.refunds).toBeUndefined();
    await refund(same);
    expect((await operator("closing")).body.totals.refunds).toEqual({ notes: 1, amount: 100 });
  });

  it("a permitted manager refunds on the operator's screens, which show the note with the order [OP-501]", async () => {
    const { hub, till } = await startHub();
    const operator = operatorOf(hub);
    const { posReference } = await sell(hub, till);
    const params = { posReference };
    const { posReference: _, ...body } = part(posReference);
    expect((await operator("order", { params })).body).toMatchObject({
      creditNotes: [],
      refunding: { takesLines: true, paymentMethods: expect.arrayContaining([expect.objectContaining({ id: CASH })]) },
    });
    const clerk = await hub.signIn("clerk");
    expect(await operator("refund", { params, body, token: clerk })).toMatchObject(refusedWith(403, "FORBIDDEN"));
    const answer = await operator("refund", { params, body });
    expect(answer.body.refund).toMatchObject({ state: "made", by: "Marisol Peña", terminalId: "hub" });
    expect((await operator("order", { params })).body.creditNotes).toEqual([
      {
        at: answer.body.refund.madeAt,
        userName: "Marisol Peña",
        ncf: answer.body.refund.ncf,
        total: 100,
        amount: 100,
        refund: [{ methodId: CASH, amount: 100 }],
        reason: "no le gustó",
      },
    ]);
  });

  it("a credit note of the whole check counts as a refund of it [FISC-318]", async () => {
    const { hub, till, call, refund } = await startHub();
    const { posReference } = await sell(hub, till, {
      lines: [...lines, { id: "v", productId: 102, quantity: 1, unitPrice: 40, total: 40, voided: true }],
    });
    const note = await call("creditNote", { token: await hub.signIn("manager"), body: { posReference } });
    expect(note).toMatchObject({ status: 200, body: { total: 250 } });
    expect(await refundsOf(hub, posReference)).toMatchObject([
      { state: "made", isWhole: true, amount: 250, refund: [], ncf: note.body.ncf },
    ]);
    expect(await refund(part(posReference))).toMatchObject(refusedWith(409, "ALREADY_CREDITED"));
  });

  it("refunded money counts once where a repeated note request gets the same credit note [FISC-318, TILL-14]", async () => {
    const { hub, till, call } = await startHub({ ownBackOffice: true });
    const { posReference } = await sell(hub, till, {
      lines: [...lines, { id: "v", productId: 102, quantity: 1, unitPrice: 40, total: 40, voided: true }],
    });
    const token = await hub.signIn("manager");
    const body = { posReference, refund: [{ methodId: CASH, amount: 250 }] };
    const note = await call("creditNote", { token, body });
    const faults = [{ path: NOTE, action: "status", status: 200, body: note.body }];
    await hub.backOffice.control("POST", "/faults", { faults });
    expect((await call("creditNote", { token, body })).body).toEqual(note.body);
    const operator = operatorOf(hub);
    const { payments } = (await operator("noShift")).body;
    expect(payments.filter(({ kind }: { kind: string }) => kind === "refund")).toMatchObject([{ amount: -250 }]);
    const { versions } = (await operator("orderVersions", { params: { posReference } })).body;
    expect(versions.filter(({ kind }: { kind: string }) => kind === "refunded")).toHaveLength(1);
  });

  it("refunded money counts once where a note request gets the note of an earlier refund [FISC-318]", async () => {
    const { hub, till, call, refund } = await startHub({ ownBackOffice: true });
    await hub.backOffice.control("POST", "/quirks", { lacks: ["creditNotes"] });
    await until("the hub knows", async () => (await call("menu")).body.creditNotes === undefined);
    const { posReference } = await sell(hub, till, {
      lines: [...lines, { id: "v", productId: 102, quantity: 1, unitPrice: 40, total: 40, voided: true }],
    });
    const money = [{ methodId: CASH, amount: 250 }];
    const first = await refund(part(posReference, { lines: undefined, refund: money }));
    const { ncf } = first.body.refund;
    const body = { id: 1, pos_reference: posReference, ncf, total: 250, lines: [] };
    await faults(hub, { path: NOTE, action: "status", status: 200, body });
    const again = { posReference, refund: money };
    const answer = await call("creditNote", { token: await hub.signIn("manager"), body: again });
    expect(answer).toMatchObject({ status: 200, body: { ncf } });
    expect(await refundsOf(hub, posReference)).toMatchObject([{ refundId: first.body.refund.refundId, ncf }]);
    const { payments } = (await operatorOf(hub)("noShift")).body;
    expect(payments.filter(({ kind }: { kind: string }) => kind === "refund")).toMatchObject([{ amount: -250 }]);
  });

  it("a credit note made without a way of repayment counts once after a restore [FISC-318]", async () => {
    const { hub, till, call, refund } = await startHub({ ownBackOffice: true });
    const { posReference } = await sell(hub, till);
    const [line] = lines;
    const body = {
      id: 1,
      pos_reference: posReference,
      ncf: "E340000000077",
      total: 100,
      lines: [{ ...line, quantity: 1 }],
    };
    const answer = { path: NOTE, times: 1, action: "status", status: 200, body };
    await faults(hub, answer, answer);
    await call("creditNote", { token: await hub.signIn("manager"), body: { posReference } });
    const restore = await backUp(hub);
    const first = await refund(part(posReference));
    expect(first.body.refund.ncf).toBe(body.ncf);
    await restore();
    // The restored check carries the manager's note. The second of its two dishes can still be refunded.
    expect(await refund(part(posReference))).toMatchObject({ status: 200, body: { refund: { state: "made" } } });
    expect(await refund(part(posReference))).toMatchObject({ status: 409 });
  });

  it("a dismissed contingency note is not listed again once its repayment is recorded [ECF-12]", async () => {
    const { hub, till, call } = await startHub({ ownBackOffice: true });
    const { posReference, ncf: modifies } = await sell(hub, till);
    const body = { id: 1, pos_reference: posReference, ncf: "B0400000009", modifies, total: 250, lines: [] };
    const token = await hub.signIn("manager");
    const requestNote = async (more: object) => {
      await faults(hub, { path: NOTE, action: "status", status: 200, body });
      expect((await call("creditNote", { token, body: { posReference, ...more } })).status).toBe(200);
    };
    const operator = operatorOf(hub);
    await requestNote({});
    expect((await operator("fiscal")).body.contingency).toMatchObject([{ posReference, ncf: body.ncf }]);
    await operator("decideNumber", { params: { posReference }, body: { action: "dismiss", ncf: body.ncf } });
    await requestNote({ refund: [{ methodId: CASH, amount: 250 }] });
    expect(await refundsOf(hub, posReference)).toMatchObject([{ ncf: body.ncf, refund: [{ amount: 250 }] }]);
    expect((await operator("fiscal")).body.contingency).toEqual([]);
  });
});

import { hubLimits } from "@comanda/protocol";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { checkAll } from "../../db/integrity/check.ts";
import { broadcastOrder } from "../support/broadcast-order.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import type { TestHub, TestHubOptions } from "../support/start-test-hub.ts";
import { startWithPins } from "../support/start-with-pins.ts";
import { terminalApiOf } from "../support/terminal-api.ts";

const upsert = (posReference: string, baseVersion = 0, overrides: Record<string, unknown> = {}) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion,
  snapshot: terminalSnapshot(),
  mutationId: crypto.randomUUID(),
  ...overrides,
});

/** Starts a hub with a cashier's token, revoked by a PIN reset, on a waiter's tablet. */
async function startWithRevoked(options: TestHubOptions = {}) {
  const started = await startWithPins({ cashier: "4711" }, options);
  const { hub, actor, ids } = started;
  const call = operatorOf(hub);
  const token = await actor("cashier");
  await call("resetPin", { params: { userId: ids["cashier"] ?? 0 } });
  return { ...started, token, call };
}

async function keptChangesOf(hub: TestHub, state = "open") {
  return (await operatorOf(hub)("keptChanges", { query: { state } })).body as {
    changes: (Record<string, unknown> & { changeId: string })[];
    total: number;
  };
}

async function onlyOne(hub: TestHub): Promise<{ params: { changeId: string } }> {
  const { changes } = await keptChangesOf(hub);
  expect(changes.length).toBe(1);
  return { params: { changeId: changes[0]?.changeId ?? "" } };
}

const guestsOf = async (hub: TestHub, posReference: string): Promise<number | undefined> =>
  (await operatorOf(hub)("order", { params: { posReference } })).body.order?.snapshot.guestCount;

describe("changes under a revoked token", () => {
  it("a change under a revoked token is kept for a manager, whatever it is and whenever it was queued [PEOPLE-71]", async () => {
    const { hub, terminal, token } = await startWithRevoked();
    await terminal.change(upsert("A", 0, { snapshot: terminalSnapshot({ orderType: "dine_in", tableId: 5 }) }));
    await terminal.change({ type: "ORDER_SEND", posReference: "A" });
    const queuedAt = new Date(Date.now() - 86_400_000).toISOString();
    const changes = [
      upsert("A", 2, { actor: token, queuedAt, snapshot: terminalSnapshot({ guestCount: 7 }) }),
      {
        type: "ORDER_BATCH",
        orders: ["B", "C"].map((posReference) => ({ posReference, baseVersion: 0, snapshot: terminalSnapshot() })),
      },
      { type: "ORDER_SEND", posReference: "A" },
      { type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 2 },
      { type: "ORDER_DISCARD", posReference: "A", baseVersion: 2, reason: "left" },
      { type: "KITCHEN_BUMP", posReference: "A", lineId: "a", preparedQuantity: 1 },
      { type: "ITEM_STATE_SET", productId: 101, state: "out" },
      { type: "ORDER_TENDER_VOID", tenderId: crypto.randomUUID(), reason: "wrong" },
    ];
    for (const change of changes) {
      expect(await refusal(terminal.change({ ...change, actor: token }))).toMatchObject({
        errorCode: "ACTOR_REFUSED",
        kept: true,
        retryable: false,
      });
    }
    expect((await keptChangesOf(hub)).changes.map(({ type }) => type)).toEqual(changes.map(({ type }) => type));
    expect(await guestsOf(hub, "A")).toBe(1);
    expect((await operatorOf(hub)("order", { params: { posReference: "B" } })).status).toBe(404);
  });

  it("a change whose approval's token was revoked is kept under its sender's name [PEOPLE-71]", async () => {
    const { hub, terminal, token } = await startWithRevoked();
    expect(await refusal(terminal.change(upsert("A", 0, { approval: token })))).toMatchObject({ kept: true });
    const waiter = terminal.hello.user.name;
    expect((await keptChangesOf(hub)).changes).toMatchObject([
      { userName: waiter, terminalId: "tablet", error: expect.stringContaining("approval") },
    ]);
  });

  it("a change under a made-up token is not kept [PEOPLE-71]", async () => {
    const { hub, terminal } = await startWithRevoked();
    const answer = await refusal(terminal.change(upsert("A", 0, { actor: "made-up" })));
    expect(answer.errorCode).toBe("ACTOR_REFUSED");
    expect(answer).not.toHaveProperty("kept");
    expect(await keptChangesOf(hub)).toMatchObject({ changes: [], total: 0 });
  });

  it("a kept change is kept once, over a restart, and each repeat gets the same refusal [PEOPLE-90]", async () => {
    const { hub, terminal, token, deviceKey } = await startWithRevoked();
    const change = upsert("A", 0, { actor: token });
    const first = await refusal(terminal.change(change));
    expect(await refusal(terminal.change(change))).toEqual(first);
    await hub.restart();
    const again = await hub.terminal({ login: "waiter", deviceId: "tablet", deviceKey });
    expect(await refusal(again.change(change))).toEqual(first);
    expect(await keptChangesOf(hub)).toMatchObject({ changes: [{ type: "ORDER_UPSERT" }], total: 1 });
    expect(await refusal(again.change({ ...change, posReference: "OTHER" }))).toMatchObject({
      errorCode: "VALIDATION_ERROR",
    });
    expect(await keptChangesOf(hub)).toMatchObject({ changes: [{ orders: [{ posReference: "A" }] }], total: 1 });
    await hub.restart(() => {
      using db = openReadOnly(hub.dbPath);
      expect(JSON.stringify(db.rows("SELECT * FROM kept_changes"))).not.toContain(token);
      expect(checkAll(db.connection)).toMatchObject({ ok: true });
    });
  });

  it("the kept changes of a terminal are limited, and one more is refused without being kept [PEOPLE-90]", async () => {
    const { hub, terminal, token } = await startWithRevoked();
    const most = hubLimits.keptChangesPerTerminal;
    for (let n = 0; n < most; n += 1) {
      expect(await refusal(terminal.change(upsert(`A${n}`, 0, { actor: token })))).toMatchObject({ kept: true });
    }
    const answer = await refusal(terminal.change(upsert("ONE-MORE", 0, { actor: token })));
    expect(answer.errorCode).toBe("ACTOR_REFUSED");
    expect(answer).not.toHaveProperty("kept");
    expect((await keptChangesOf(hub)).total).toBe(most);
  });

  it("a change larger than an order may be is not kept [PEOPLE-90]", async () => {
    const { hub, terminal, token } = await startWithRevoked();
    const lines = Array.from({ length: 900 }, (_, n) => ({
      id: `l${n}`,
      productId: 101,
      quantity: 1,
      unitPrice: 1,
      total: 1,
      note: "n".repeat(400),
    }));
    const answer = await refusal(
      terminal.change(upsert("A", 0, { actor: token, snapshot: terminalSnapshot({ lines }) })),
    );
    expect(answer.errorCode).toBe("ACTOR_REFUSED");
    expect(answer).not.toHaveProperty("kept");
    expect((await keptChangesOf(hub)).total).toBe(0);
  });

  it("a kept change is settled when its person sends it under a new PIN, and is applied once [PEOPLE-91]", async () => {
    const { hub, terminal, token, call, enter } = await startWithRevoked();
    const change = upsert("A", 0, { actor: token });
    await refusal(terminal.change(change));
    await terminalApiOf(hub)("setPin", { token: await hub.signIn("cashier"), body: { pin: "0815" } });
    const { body } = await enter("cashier", "0815");
    expect(await terminal.change({ ...change, actor: body.actorToken })).toMatchObject({ version: 1 });
    expect(await keptChangesOf(hub)).toMatchObject({ total: 0 });
    expect((await keptChangesOf(hub, "settled")).changes).toMatchObject([
      { settled: { how: "applied", by: body.user.name, note: { reason: "note_applied_later" } } },
    ]);
    expect(await terminal.change(change)).toMatchObject({ version: 1, duplicate: true });
    expect((await call("orderVersions", { params: { posReference: "A" } })).body.versions.length).toBe(1);
  });
});

describe("managers' decisions", () => {
  it("a kept change is shown with what it would do to the check that its sender saw [OP-410]", async () => {
    const { hub, terminal, token } = await startWithRevoked();
    const two = [
      { id: "a", productId: 101, quantity: 2, unitPrice: 50, total: 100 },
      { id: "b", productId: 102, quantity: 1, unitPrice: 60, total: 60 },
    ];
    await terminal.change(upsert("A"));
    const queuedAt = new Date(Date.now() - 60_000).toISOString();
    await refusal(
      terminal.change(upsert("A", 1, { actor: token, queuedAt, snapshot: terminalSnapshot({ lines: two }) })),
    );
    await refusal(terminal.change(upsert("NEW", 0, { actor: token })));
    await terminal.change(upsert("A", 1, { snapshot: terminalSnapshot({ guestCount: 4 }) }));
    const { changes } = await keptChangesOf(hub);
    expect(changes).toMatchObject([
      {
        type: "ORDER_UPSERT",
        terminalId: "tablet",
        queuedAt: expect.stringMatching(/Z$/),
        orders: [
          {
            posReference: "A",
            status: "open",
            change: {
              kind: "edited",
              facts: expect.arrayContaining([expect.objectContaining({ fact: "lineAdded" })]),
            },
          },
        ],
        settled: null,
      },
      {
        orders: [{ posReference: "NEW", status: null, change: { kind: "created", facts: [{ fact: "beganWith" }] } }],
      },
    ]);
    expect(new Set(changes.map(({ userName }) => userName)).size).toBe(1);
    const cashier = await hub.signIn("cashier");
    expect((await operatorOf(hub)("keptChanges", { token: cashier })).status).toBe(403);
  });

  it("a kept change is shown with the number of its terminal's unsent changes [OP-413]", async () => {
    const { hub, terminal, token } = await startWithRevoked();
    await refusal(terminal.change(upsert("A", 0, { actor: token })));
    expect((await keptChangesOf(hub)).changes).toMatchObject([{ unsentBehind: 0 }]);
    await terminal.request({ type: "HEARTBEAT", outbox: { pending: 4, oldestAt: new Date().toISOString() } });
    expect((await keptChangesOf(hub)).changes).toMatchObject([{ unsentBehind: 3 }]);
    await refusal(terminal.change(upsert("B", 0, { actor: token })));
    expect((await keptChangesOf(hub)).changes).toMatchObject([{ unsentBehind: 2 }, { unsentBehind: 2 }]);
  });

  it("a kept change counts as attention and keeps the shift open until it is decided [OP-410, OP-23]", async () => {
    const { hub, terminal, token, call } = await startWithRevoked();
    await refusal(terminal.change({ type: "ITEM_STATE_SET", productId: 101, state: "out", actor: token }));
    expect(await terminal.next("HUB_STATUS", ({ attention }) => attention > 0)).toMatchObject({ attention: 1 });
    const { body } = await hub.send("GET", "/health");
    expect(body.reasons).toContain("attention");
    expect((await call("overview")).body.keptChanges).toBe(1);
    expect((await call("closing")).body).toMatchObject({ ready: false, keptChanges: 1 });
    await call("dismissKeptChange", { ...(await onlyOne(hub)), body: { note: "sold out since" } });
    expect((await hub.send("GET", "/health")).body.reasons).not.toContain("attention");
    expect((await call("closing")).body).toMatchObject({ ready: true, keptChanges: 0 });
  });

  it("a kept change is applied in the manager's name, once, and its terminal is notified [OP-411, PEOPLE-91, PEOPLE-92]", async () => {
    const { hub, terminal, token, call } = await startWithRevoked();
    const change = upsert("A", 0, { actor: token });
    await refusal(terminal.change(change));
    const { status, body } = await call("applyKeptChange", { ...(await onlyOne(hub)), body: { note: "I saw it" } });
    expect(status).toBe(200);
    const by = body.change.settled.by as string;
    expect(body.change.settled).toMatchObject({ how: "applied", note: { words: "I saw it" } });
    expect(await terminal.next("ORDER_ACK", ({ mutationId }) => mutationId === change.mutationId)).toMatchObject({
      posReference: "A",
      version: 1,
      duplicate: true,
    });
    expect(await broadcastOrder(terminal, "A", 1)).toMatchObject({ terminalId: "hub" });
    expect(await terminal.change(change)).toMatchObject({ posReference: "A", version: 1, duplicate: true });
    const { versions } = (await call("orderVersions", { params: { posReference: "A" } })).body;
    expect(versions).toMatchObject([{ kind: "created", origin: "hub", userName: by }]);
    expect((await call("audit")).body.entries[0]).toMatchObject({
      action: "change.apply",
      target: "A",
      userName: by,
      note: { about: expect.stringMatching(/\(tablet\)$/), words: "I saw it" },
    });
    expect((await call("feed")).body.entries[0]).toMatchObject({ kind: "change_applied", detail: { userName: by } });
    expect((await keptChangesOf(hub)).total).toBe(0);
  });

  it("a kept change is answered under the id as sent, and is applied once in whatever case the id comes [PEOPLE-92, ORDER-4]", async () => {
    const { terminal, hub, token, call } = await startWithRevoked();
    const capitals = (posReference: string) =>
      upsert(posReference, 0, { actor: token, mutationId: crypto.randomUUID().toUpperCase() });
    const [applied, dismissed] = [capitals("A"), capitals("B")];
    await refusal(terminal.change(applied));
    await call("applyKeptChange", { ...(await onlyOne(hub)), body: {} });
    const isOf = (change: typeof applied) => (message: { mutationId?: string }) =>
      message.mutationId?.toUpperCase() === change.mutationId;
    expect(await terminal.next("ORDER_ACK", isOf(applied))).toMatchObject({ mutationId: applied.mutationId });
    await refusal(terminal.change(dismissed));
    await call("dismissKeptChange", { ...(await onlyOne(hub)), body: { note: "no" } });
    const isDecided = ({ errorCode }: { errorCode: string }) => errorCode === "DISMISSED";
    expect(await terminal.next("ORDER_REJECTED", isDecided)).toMatchObject({ mutationId: dismissed.mutationId });
    const again = { ...applied, mutationId: applied.mutationId.toLowerCase() };
    expect(await terminal.change(again)).toMatchObject({ version: 1, duplicate: true });
  });

  it("a kept change is applied with a manager's rights, also the state of a product [OP-411]", async () => {
    const { hub, terminal, token, call } = await startWithRevoked();
    await terminal.change(upsert("A"));
    await terminal.change({ type: "ORDER_SEND", posReference: "A" });
    const lines = [{ id: "a", productId: 101, quantity: 2, unitPrice: 50, total: 0, voided: true, voidReason: "cold" }];
    for (const change of [
      upsert("A", 2, { snapshot: terminalSnapshot({ lines }) }),
      { type: "ITEM_STATE_SET", productId: 101, state: "out" },
    ]) {
      await refusal(terminal.change({ ...change, actor: token }));
      expect(await call("applyKeptChange", { ...(await onlyOne(hub)), body: {} })).toMatchObject({ status: 200 });
    }
    expect((await call("order", { params: { posReference: "A" } })).body.order.snapshot.lines).toMatchObject([
      { voided: true },
    ]);
    expect((await call("itemStates")).body.itemStates).toMatchObject([{ state: "out" }]);
    expect(await terminal.next("ITEM_STATE_ACK", () => true)).toMatchObject({ state: "out", duplicate: true });
  });

  it("kept changes of a till are shown as what they are, and are applied [OP-410, OP-411]", async () => {
    const { hub, call, terminal, token } = await startWithRevoked();
    await call("createTill", { body: { id: "bar", name: "Barra", terminals: ["tablet"] } });
    const boss = await hub.terminal({ login: "manager", deviceId: "oficina" });
    const shiftId = crypto.randomUUID();
    const done = [
      { type: "TILL_MOVE", shiftId, kind: "drop", amount: 200, reason: "banco" },
      { type: "TILL_COUNT", shiftId, counted: [{ methodId: 1, amount: 300 }] },
      { type: "TILL_DRAWER", tillId: "bar", reason: "menudo" },
      { type: "TILL_OPEN", tillId: "bar", shiftId: crypto.randomUUID(), float: 400 },
    ];
    await boss.request({ type: "TILL_OPEN", mutationId: crypto.randomUUID(), tillId: "bar", shiftId, float: 500 });
    for (const each of done) {
      expect(await terminal.request({ ...each, mutationId: crypto.randomUUID(), actor: token })).toMatchObject({
        errorCode: "ACTOR_REFUSED",
        kept: true,
      });
    }
    const { changes } = await keptChangesOf(hub);
    expect(changes).toMatchObject(done.map(({ type }) => ({ type })));
    expect(changes[0]).toMatchObject({ move: { kind: "drop", amount: 200 }, reason: "banco" });
    const [moved, counted, opened, second] = changes.map(({ changeId }) => ({ params: { changeId } }));
    expect(await call("applyKeptChange", second)).toMatchObject({ status: 409, body: { errorCode: "SHIFT_OPEN" } });
    for (const each of [moved, counted, opened, second]) {
      expect(await call("applyKeptChange", each)).toMatchObject({ status: 200 });
    }
    expect((await call("shift", { params: { shiftId } })).body).toMatchObject({
      state: "closed",
      moves: [{ kind: "drop", amount: 200 }],
      difference: 0,
    });
  });

  it("applying a kept change to a check that has changed since, or is leased, is refused and leaves it open [OP-411]", async () => {
    const { hub, terminal, token, call } = await startWithRevoked();
    await terminal.change(upsert("A"));
    await refusal(terminal.change(upsert("A", 1, { actor: token, snapshot: terminalSnapshot({ guestCount: 9 }) })));
    await terminal.change(upsert("A", 1, { snapshot: terminalSnapshot({ guestCount: 3 }) }));
    const one = await onlyOne(hub);
    expect(await call("applyKeptChange", { ...one, body: {} })).toMatchObject({
      status: 409,
      body: { errorCode: "CONFLICT" },
    });
    await terminal.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    expect(await call("applyKeptChange", { ...one, body: {} })).toMatchObject({
      status: 409,
      body: { errorCode: "LEASE_HELD" },
    });
    expect(await guestsOf(hub, "A")).toBe(3);
    expect((await keptChangesOf(hub)).total).toBe(1);
    expect((await call("audit")).body.entries.map(({ action }: { action: string }) => action)).not.toContain(
      "change.apply",
    );
  });

  it("applying a kept batch is refused with the conflict of the check that has changed since [OP-411]", async () => {
    const { hub, terminal, token, call } = await startWithRevoked();
    await terminal.change(upsert("A"));
    const orders = ["A", "B"].map((posReference, index) => {
      return { posReference, baseVersion: 1 - index, snapshot: terminalSnapshot({ guestCount: 9 }) };
    });
    await refusal(terminal.change({ type: "ORDER_BATCH", orders, actor: token }));
    await terminal.change(upsert("A", 1, { snapshot: terminalSnapshot({ guestCount: 3 }) }));
    expect(await call("applyKeptChange", { ...(await onlyOne(hub)), body: {} })).toMatchObject({
      status: 409,
      body: { errorCode: "CONFLICT" },
    });
    expect((await keptChangesOf(hub)).total).toBe(1);
  });

  it("a dismissed change is refused from then on, and its terminal is notified [OP-412, PEOPLE-91, PEOPLE-92]", async () => {
    const { hub, terminal, token, call, deviceKey } = await startWithRevoked();
    const change = upsert("A", 0, { actor: token });
    await refusal(terminal.change(change));
    const one = await onlyOne(hub);
    expect(await call("dismissKeptChange", { ...one, body: {} })).toMatchObject({ status: 400 });
    const { body } = await call("dismissKeptChange", { ...one, body: { note: "done again" } });
    expect(body.change.settled).toMatchObject({ how: "dismissed", note: { words: "done again" } });
    const dismissed = { errorCode: "DISMISSED", posReference: "A", retryable: false };
    const isAbout = ({ mutationId }: { mutationId: string }): boolean => mutationId === change.mutationId;
    expect(await terminal.next("ORDER_REJECTED", isAbout)).toMatchObject(dismissed);
    for (const signed of [{}, { actor: terminal.hello.actorToken }]) {
      expect(await refusal(terminal.change({ ...change, ...signed }))).toMatchObject(dismissed);
    }
    await hub.restart();
    const again = await hub.terminal({ login: "waiter", deviceId: "tablet", deviceKey });
    expect(await refusal(again.change(change))).toMatchObject(dismissed);
    for (const name of ["applyKeptChange", "dismissKeptChange"] as const) {
      expect(await call(name, { ...one, body: { note: "again" } })).toMatchObject({
        status: 409,
        body: { errorCode: "CONFLICT", settledAt: expect.any(String) },
      });
    }
    expect((await call("order", { params: { posReference: "A" } })).status).toBe(404);
    expect((await call("audit")).body.entries[0]).toMatchObject({ action: "change.dismiss", target: "A" });
    expect((await call("applyKeptChange", { params: { changeId: "77" }, body: {} })).status).toBe(404);
  });

  it("all kept changes are dismissed at once with one note, each in the audit log [OP-412]", async () => {
    const { hub, terminal, token, call } = await startWithRevoked();
    const changes = ["A", "B", "C"].map((order) => upsert(order, 0, { actor: token }));
    for (const change of changes) await refusal(terminal.change(change));
    const note = "a tablet that was stolen";
    expect((await call("dismissKeptChanges", { body: { note } })).body).toEqual({ dismissed: 3 });
    expect((await keptChangesOf(hub)).total).toBe(0);
    expect((await call("audit")).body.entries.slice(0, 3)).toMatchObject(
      ["C", "B", "A"].map((target) => ({ action: "change.dismiss", target, note: { words: note } })),
    );
    for (const change of changes) {
      expect(await refusal(terminal.change(change))).toMatchObject({ errorCode: "DISMISSED" });
    }
    expect((await call("dismissKeptChanges", { body: { note } })).body).toEqual({ dismissed: 0 });
  });

  it("a kept change that does not match its checksum can only be dismissed [OP-412]", async () => {
    const { hub, terminal, token, call } = await startWithRevoked();
    await refusal(terminal.change(upsert("A", 0, { actor: token })));
    await hub.restart(() => {
      const db = new Database(hub.dbPath);
      db.exec("UPDATE kept_changes SET body = replace(body, '101', '102')");
      db.close();
    });
    expect((await keptChangesOf(hub)).changes).toMatchObject([{ type: null, orders: [] }]);
    const one = await onlyOne(hub);
    expect(await call("applyKeptChange", { ...one, body: {} })).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR" },
    });
    expect((await call("dismissKeptChange", { ...one, body: { note: "by hand" } })).status).toBe(200);
  });
});

it("waiting and decided kept changes outlive the restore of an older backup [REST-5]", async () => {
  const { hub, terminal, token, call } = await startWithRevoked();
  await refusal(terminal.change(upsert("A", 0, { actor: token })));
  const { name } = (await call("makeBackup")).body.backup;
  await call("dismissKeptChange", { ...(await onlyOne(hub)), body: { note: "done again" } });
  await refusal(terminal.change(upsert("B", 0, { actor: token })));
  const before = [await keptChangesOf(hub), await keptChangesOf(hub, "settled")];
  expect((await call("restoreBackup", { params: { name }, body: { confirm: name } })).status).toBeLessThan(300);
  await hub.restart();
  expect([await keptChangesOf(hub), await keptChangesOf(hub, "settled")]).toEqual(before);
});

function openReadOnly(file: string) {
  const connection = new Database(file, { readonly: true });
  return {
    connection,
    rows: (sql: string): unknown[] => connection.prepare(sql).all(),
    [Symbol.dispose]: () => connection.close(),
  };
}

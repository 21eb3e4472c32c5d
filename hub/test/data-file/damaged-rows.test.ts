import { copyFileSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { verifyBackup } from "../../db/backups/verify-backup.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { tempFolder } from "../support/data/data-files.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

/** Changes the data file while the hub is off, without updating row seals, as disk damage would. */
function damage(hub: TestHub, ...statements: string[]): Promise<void> {
  return hub.restart(() => {
    const db = new Database(hub.dbPath);
    for (const sql of statements) expect(db.prepare(sql).run().changes, sql).toBeGreaterThan(0);
    db.close();
  });
}

const reasonsOf = async (hub: TestHub): Promise<string[]> => (await hub.send("GET", "/health")).body.reasons;

interface BookedOrders {
  orders: { posReference: string }[];
}

async function pay(hub: TestHub, posReference: string): Promise<void> {
  const till = await hub.terminal({ login: "cashier" });
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
  await till.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments: [{ methodId: 1, amount: 100 }] });
  till.close();
}

describe("damaged cached data of the back-office ", () => {
  it.each([
    ["one bit of each", "UPDATE remembered SET value = replace(value, '\"', '#') WHERE name = @name"],
    ["a value that still reads", "UPDATE remembered SET value = replace(value, 'e', 'a') WHERE name = @name"],
  ])("damaged cached data of the back-office is deleted at the start and read again: %s [DB-123]", async (_, sql) => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = terminalApiOf(hub);
    const menu = () => call("menu");
    await until("the menu", async () => (await menu()).status === 200);
    const { body: before } = await menu();
    for (const name of ["config", "floors", "session"]) {
      await damage(hub, sql.replace("@name", `'${name}'`));
      await until("it is read again", async () => (await menu()).body.products?.length === before.products.length);
      expect(await reasonsOf(hub)).not.toContain("data_file");
      const db = new Database(hub.dbPath, { readonly: true });
      await until(
        "it is kept again",
        () => db.prepare("SELECT 1 FROM remembered WHERE name = ?").get(name) !== undefined,
      );
      db.close();
    }
    expect((await menu()).body.products).toEqual(before.products);
  });

  it("a hub with damaged cached data starts while the back-office is away [DB-123]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const token = await hub.signIn("cashier");
    await hub.terminal({ login: "cashier" });
    await hub.backOffice.kill();
    await damage(hub, "UPDATE remembered SET value = substr(value, 2)", "UPDATE identities SET identity = '{'");
    expect((await hub.send("GET", "/health")).status).toBe(200);
    // The stored identity is damaged and the back-office is down, so the hub cannot verify the session.
    const headers = { Authorization: `Bearer ${token}` };
    expect((await hub.send("GET", "/operator/v1/me", { headers })).status).toBe(503);
  });

  it("a damaged row that exists nowhere else is reported [DB-124]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    await pay(hub, "A");
    await until("the session", async () => (await call("closing")).body.session !== null);
    await damage(hub, "UPDATE remembered SET at = at - 1 WHERE name = 'countedSession'");
    expect(await reasonsOf(hub)).toContain("data_file");
    // The full check passes: the damaged row is gone.
    expect((await call("checkDataFile")).body).toMatchObject({
      check: { ok: true },
      doubts: [{ kind: "damaged_records", detail: expect.stringContaining("session") }],
    });
  });
});

describe("damaged rows of money ", () => {
  it("damaged takings do not change the closing totals [DB-125]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = operatorOf(hub);
    await until("the session", async () => (await call("closing")).body.session !== null);
    for (const posReference of ["A", "B"]) await pay(hub, posReference);
    const totals = async () => (await call("closing")).body.totals;
    expect(await totals()).toMatchObject({ paidOrders: 2, paidAmount: 200 });
    await damage(
      hub,
      "UPDATE takings SET total = 228 WHERE pos_reference = 'A'",
      `UPDATE takings SET payments = '[{"methodId":3,"amount":100}]' WHERE pos_reference = 'B'`,
    );
    expect(await totals()).toMatchObject({
      paidOrders: 2,
      paidAmount: 200,
      byMethod: [{ methodId: 1, amount: 200 }],
    });
    expect(await reasonsOf(hub)).toContain("data_file");
    expect((await call("checkDataFile")).body.check.message).toContain("2 of takings");
  });

  it("a mutation with a damaged stored answer is carried out once [DB-125]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const mutation = {
      type: "ORDER_UPSERT",
      mutationId: crypto.randomUUID(),
      posReference: "A",
      baseVersion: 0,
      snapshot: terminalSnapshot(),
    };
    await till.change(mutation);
    till.close();
    await damage(hub, "UPDATE mutations SET answer = replace(answer, ':', ';')");
    const again = await hub.terminal({ login: "cashier" });
    expect(await again.change(mutation)).toMatchObject({ mutationId: mutation.mutationId, duplicate: true });
    expect((await hub.external().get("/orders/A")).body.version).toBe(1);
    expect(await reasonsOf(hub)).toContain("data_file");
  });

  it("a backup is good again after the damage of a row was recorded [DB-28]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    await pay(hub, "A");
    await damage(hub, "UPDATE payment_identities SET content = '[[1,900]]'");
    const copy = path.join(tempFolder(), "hub.sqlite");
    copyFileSync(hub.dbPath, copy);
    expect(verifyBackup(copy).ok).toBe(false);
    for (let round = 0; round < 2; round += 1) {
      expect((await call("checkDataFile")).body.check).toMatchObject({
        ok: false,
        message: expect.stringContaining("1 of payment_identities"),
      });
    }
    expect(await reasonsOf(hub)).toContain("data_file");
    expect((await call("makeBackup")).body.backup).toMatchObject({ verified: "good" });
  });

  it("an order with a damaged forward event is forwarded once [DB-126]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    await pay(hub, "A");
    await until(
      "it is forwarded",
      async () => (await hub.external().get("/orders/A")).body.snapshot.status === "closed",
    );
    const references = async () =>
      ((await hub.backOffice.control("GET", "/orders")) as BookedOrders).orders.map((order) => order.posReference);
    expect(await references()).toEqual(["A"]);
    // Marks the event as not forwarded, of another version, held for a number and in an unknown state.
    await damage(hub, "UPDATE hub_events SET forwarded = 0, version = 1, is_held = 1, state = 'qending'");
    const health = async () => (await hub.send("GET", "/health")).body;
    await until("nothing waits", async () => (await health()).pendingForward === 0);
    expect(await health()).toMatchObject({ status: "degraded", reasons: ["data_file"] });
    expect(await references()).toEqual(["A"]);
  });

  it("an order whose damaged event alone says that it was forwarded is still pending [DB-126]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_FORWARD_INTERVAL_MS: "3600000" } });
    const call = operatorOf(hub);
    // The hub caches both sessions before the line goes down.
    await call("closing");
    (await hub.terminal({ login: "cashier" })).close();
    await hub.backOffice.kill();
    await pay(hub, "A");
    await damage(hub, "UPDATE hub_events SET forwarded = 1, state = 'done'");
    expect((await call("checkDataFile")).body.check.message).toContain("1 of hub_events");
    expect((await hub.send("GET", "/health")).body).toMatchObject({ pendingForward: 1 });
  });

  it("a ticket whose `is_over` mark is damaged is shown to the kitchen [DB-126]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    await till.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    await till.change({ type: "ORDER_SEND", posReference: "A", baseVersion: 1 });
    till.close();
    await damage(hub, "UPDATE tickets SET is_over = 1");
    const { sync } = await hub.terminal({ deviceId: "kitchen" });
    expect(sync.tickets).toMatchObject([{ posReference: "A" }]);
    expect(await reasonsOf(hub)).toContain("data_file");
  });

  it("a fiscal number is requested by its order when the stored request is damaged [DB-126]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const fault = { path: "/pos-api/v1/orders/reserve-ncf", action: "status", status: 503 };
    await hub.backOffice.control("POST", "/faults", { faults: [{ ...fault, times: 1_000 }] });
    const till = await hub.terminal({ login: "cashier" });
    await till.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    const payments = [{ methodId: 1, amount: 100 }];
    await till.change({ type: "ORDER_PAY", posReference: "A", baseVersion: 1, payments, fiscal: { type: "B02" } });
    till.close();
    await hub.backOffice.control("POST", "/faults", { faults: [] });
    await damage(hub, "UPDATE fiscal_requests SET type = 'B03', next_attempt_at = 9e15");
    const ncf = async () => (await hub.external().get("/orders/A")).body.snapshot.ncf;
    expect(await until("the number", ncf)).toContain("02");
  });

  it("a payment with a damaged stored identity is applied only once [DB-125]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    await till.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    const pay = { type: "ORDER_PAY", posReference: "A", baseVersion: 1, payments: [{ methodId: 1, amount: 100 }] };
    const paymentId = crypto.randomUUID();
    await till.change({ ...pay, paymentId });
    till.close();
    await damage(hub, "UPDATE payment_identities SET content = '[[1,900]]', pos_reference = 'B'");
    const again = await hub.terminal({ login: "cashier" });
    expect(await again.change({ ...pay, paymentId })).toMatchObject({ duplicate: true });
    expect((await operatorOf(hub)("closing")).body.unappliedPayments).toEqual([]);
  });
});

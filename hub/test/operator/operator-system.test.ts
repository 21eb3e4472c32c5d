import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import { realWorld } from "../../platform/world.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const order = { type: "ORDER_UPSERT", baseVersion: 0, snapshot: { orderType: "takeout", lines: [] } };

describe("system", () => {
  it("the operator API returns the hub's version [OP-50]", async () => {
    const hub = await startTestHub();
    expect((await operatorOf(hub)("version")).body).toMatchObject({ protocolVersion: 1, host: "headless" });
  });

  it("settings list each source and never a secret's value, and only changeable ones can be changed [OP-28]", async () => {
    const hub = await startTestHub({ env: { HUB_LEASE_TTL_MS: "45000", ERP_PASSWORD: "hub" } });
    const call = operatorOf(hub);
    const { settings } = (await call("settings")).body;
    const of = (name: string) => settings.find((setting: { name: string }) => setting.name === name);
    expect(of("HUB_LEASE_TTL_MS")).toMatchObject({ value: "45000", source: "environment", changeable: false });
    expect(of("HUB_GRACE_MS")).toMatchObject({ value: "10000", source: "default", default: "10000" });
    expect(of("ERP_PASSWORD")).toMatchObject({ value: null, secret: true, set: true, default: null });
    expect(await call("changeSettings", { body: { values: { HUB_LEASE_TTL_MS: "1000" } } })).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR" },
    });
    expect((await call("changeSettings", { body: { values: { NO_SUCH: "1" } } })).status).toBe(400);
  });

  it("settings of a hub without a settings file cannot be changed [OP-54]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const before = (await call("settings")).body;
    const answer = await call("changeSettings", { body: { values: { HUB_NAME: "Elsewhere" } } });
    expect(answer).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
    expect((await call("settings")).body).toEqual(before);
  });

  it("a manager makes, lists, verifies, previews and downloads a backup [OP-31, OP-51]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal();
    await terminal.change({ ...order, posReference: "A" });
    const { backup } = (await call("makeBackup")).body;
    expect(backup).toMatchObject({ kind: "manual", verified: "good" });
    expect((await call("backups")).body.backups).toContainEqual(backup);
    const params = { name: backup.name };
    expect((await call("verifyBackup", { params })).body.backup.verified).toBe("good");
    await terminal.change({ ...order, posReference: "B" });
    expect((await call("previewBackup", { params })).body).toMatchObject({
      orders: 1,
      activeOrders: 1,
      changesLost: 1,
      connectedTerminals: 1,
    });
    const file = await call("downloadBackup", { params });
    expect(file.headers["content-disposition"]).toBe(`attachment; filename="${backup.name}"`);
    expect(file.body.slice(0, 15)).toBe("SQLite format 3");
    for (const name of ["../hub.sqlite", "hub-manual-none.sqlite"]) {
      expect((await call("previewBackup", { params: { name } })).status).toBe(404);
    }
    expect((await call("audit")).body.entries).toMatchObject([{ action: "backup.verify" }, { action: "backup.make" }]);
  });

  it("a backup that cannot be written is refused with the name of its folder [BAK-13]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const folder = path.join(path.dirname(hub.dbPath), "backups");
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, "a file of somebody else");
    const { status, body } = await call("makeBackup");
    expect({ status, errorCode: body.errorCode }).toEqual({ status: 503, errorCode: "UPSTREAM_UNAVAILABLE" });
    expect(body.error).toContain(`the folder of the backups, ${folder}, cannot be written`);
  });

  it("a damaged backup is reported as bad and cannot be restored [OP-51]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const { backup } = (await call("makeBackup")).body;
    writeFileSync(path.join(path.dirname(hub.dbPath), "backups", backup.name), "not a database");
    const params = { name: backup.name };
    expect((await call("verifyBackup", { params })).body.backup.verified).toBe("bad");
    expect((await call("previewBackup", { params })).status).toBe(400);
    expect((await call("restoreBackup", { params, body: { confirm: backup.name } })).status).toBe(400);
  });

  it("a restore at the next start keeps the previous file aside and changes the epoch [OP-29]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const terminal = await hub.terminal({ deviceId: "tablet" });
    await terminal.change({ ...order, posReference: "A" });
    const { backup } = (await call("makeBackup")).body;
    await terminal.change({ ...order, posReference: "B" });
    const { epoch } = (await call("dataFile")).body;
    const params = { name: backup.name };
    expect((await call("restoreBackup", { params, body: { confirm: "yes" } })).status).toBe(400);
    const { status, body } = await call("restoreBackup", { params, body: { confirm: backup.name } });
    expect({ status, restoring: body.restoring }).toEqual({ status: 202, restoring: true });

    await hub.restart();
    const references = (await call("orders")).body.orders.map((each: { posReference: string }) => each.posReference);
    expect(references).toEqual(["A"]);
    expect((await call("dataFile")).body.epoch).not.toBe(epoch);
    expect((await call("audit")).body.entries[0]).toMatchObject({ action: "backup.restored", target: backup.name });
    const database = new Database(path.join(path.dirname(hub.dbPath), body.keptAside), { readonly: true });
    expect(database.prepare("SELECT count(*) AS n FROM orders").get()).toEqual({ n: 2 });
    database.close();
  });

  it("a staged restore that fails leaves the present data file in use [OP-29]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    await (await hub.terminal()).change({ ...order, posReference: "A" });
    const { backup } = (await call("makeBackup")).body;
    const body = { confirm: backup.name };
    await call("restoreBackup", { params: { name: backup.name }, body });
    writeFileSync(path.join(path.dirname(hub.dbPath), "backups", backup.name), "damaged since");
    await hub.restart();
    expect((await call("orders")).body.total).toBe(1);
    expect(existsSync(`${hub.dbPath}.restore`)).toBe(false);
    expect((await call("audit")).body.entries[0]).toMatchObject({ action: "backup.restore_failed" });
  });

  it("a check of the data file finds a damaged row and reports it from then on [OP-52]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    await (await hub.terminal()).change({ ...order, posReference: "A" });
    expect((await call("checkDataFile")).body.check).toMatchObject({ ok: true, message: "ok" });
    await hub.hub.stop();
    const file = new Database(hub.dbPath);
    file.prepare("UPDATE order_versions SET body = replace(body, 'takeout', 'takeouT')").run();
    file.close();
    await hub.restart();
    expect(await call("order", { params: { posReference: "A" } })).toMatchObject({
      status: 500,
      body: { errorCode: "INTERNAL_ERROR" },
    });
    expect((await hub.send("GET", "/health")).body.reasons).toContain("data_file");
    expect((await call("checkDataFile")).body.check).toMatchObject({
      ok: false,
      message: "1 stored records are damaged: 1 of order_versions",
    });
    expect((await call("overview")).body.dataFile).toMatchObject({ ok: false });
  });

  it("log lines are filtered by level, package and search words, and can be downloaded [OP-53]", async () => {
    const log = createLog("debug", { write: () => {} });
    const hub = await startTestHub({ world: realWorld(log) });
    const call = operatorOf(hub);
    log.child({ component: "kitchen" }).error({ password: "hunter2", dish: "sopa" }, "it burned");
    log.debug("nothing to see");
    const lines = async (query: Record<string, string>) => (await call("logs", { query })).body.lines;
    expect(await lines({ level: "error", component: "kitchen" })).toEqual([
      {
        at: expect.any(String),
        level: "error",
        component: "kitchen",
        event: null,
        message: "it burned",
        facts: JSON.stringify({ password: "[redacted]", dish: "sopa" }),
      },
    ]);
    expect(await lines({ search: "SOPA" })).toHaveLength(1);
    expect((await lines({ level: "debug", search: "nothing to see" })).length).toBe(1);
    expect((await call("logs")).body.components).toContain("kitchen");
    const file = await call("exportLogs");
    expect(file.headers["content-disposition"]).toContain("attachment");
    expect(String(file.body)).toContain("it burned");
    expect(String(file.body)).not.toContain("hunter2");
  });

  it("a log line has its event's name if screens have a text for it, whatever its message is [OP-542]", async () => {
    const log = createLog("debug", { write: () => {} });
    const hub = await startTestHub({ world: realWorld(log) });
    const call = operatorOf(hub);
    await call("createKey", { body: { label: "Web", scopes: ["read"] } });
    log.info({ event: "of another version" }, "API key created");
    const { lines } = (await call("logs", { query: { search: "API key created" } })).body;
    expect(lines.map(({ event }: { event: string | null }) => event)).toEqual(["key_created", null]);
  });

  it("log lines are found by package, and the packages that have logged are listed [OP-53]", async () => {
    const hub = await startTestHub({
      world: realWorld(createLog("debug", { write: () => {} })),
      ownBackOffice: true,
      env: { HUB_STATE_POLL_MS: "200" },
    });
    const call = operatorOf(hub);
    const logs = async (query = {}) => (await call("logs", { query: { level: "debug", ...query } })).body;
    await hub.backOffice.control("POST", "/faults", {
      faults: [{ path: "/pos-api/v1/bootstrap", action: "status", status: 500 }],
    });
    await until("the package has logged", async () => (await logs({ component: "back-office" })).lines.length > 0);
    await call("makeBackup");
    const { lines, components } = await logs();
    expect(new Set(lines.flatMap(({ component }: { component: string | null }) => component ?? []))).toEqual(
      new Set(components),
    );
    const found = (await logs({ component: "back-office" })).lines;
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect(line.component).toBe("back-office");
    expect(found).toContainEqual(expect.objectContaining({ message: "back-office call failed" }));
  });

  it("the diagnostics bundle contains no secret and no customer's name [OP-30]", async () => {
    const log = createLog("debug", { write: () => {} });
    const hub = await startTestHub({ world: realWorld(log), env: { ERP_PASSWORD: "hub-password-9" } });
    const call = operatorOf(hub);
    log.warn("somebody logged hub-password-9 by mistake");
    const terminal = await hub.terminal({ deviceId: "tablet" });
    const snapshot = { orderType: "takeout", customerName: "Ana Pérez", lines: [] };
    await terminal.change({ ...order, posReference: "A", snapshot });
    const { token } = await hub.createKey();
    const listed = (await call("diagnostics")).body.files.map((file: { name: string }) => file.name);
    const response = await fetch(`${hub.url}/operator/v1/diagnostics/bundle`, {
      headers: { Authorization: `Bearer ${await hub.signIn("manager")}` },
    });
    const tar = gunzipSync(Buffer.from(await response.arrayBuffer())).toString("utf8");
    for (const name of listed) expect(tar).toContain(name);
    for (const secret of ["hub-password-9", token, "Ana Pérez", await hub.signIn("manager")]) {
      expect(tar).not.toContain(secret);
    }
  });

  it("a drill runs on a separate hub, and everything paid in its outage is booked once [OP-61]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const { body } = await call("drill");
    expect(body).toMatchObject({ paidWhileCut: 20, queuedWhileCut: 20, forwardedAfter: 20, lost: 0, twice: 0 });
    expect((await call("overview")).body.orders.active).toBe(0);
    expect((await call("backOffice")).body.queue.total).toBe(0);
  });

  it("the audit log is paged and searched [OP-18]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    for (const label of ["one", "two", "three"]) await call("createKey", { body: { label, scopes: ["read"] } });
    const first = (await call("audit", { query: { limit: 2 } })).body;
    expect(first.entries).toMatchObject([{ note: { words: "three" } }, { note: { words: "two" } }]);
    expect((await call("audit", { query: { limit: 2, cursor: first.nextCursor } })).body).toMatchObject({
      entries: [{ note: { words: "one" } }],
      nextCursor: null,
    });
    expect((await call("audit", { query: { search: "two" } })).body.entries).toHaveLength(1);
  });
});

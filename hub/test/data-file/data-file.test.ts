import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createChangeLog } from "../../changes/change-log.ts";
import { listBackups } from "../../db/backups/backup-files.ts";
import { backUp } from "../../db/backups/keep-backups.ts";
import { makeBackup } from "../../db/backups/make-backup.ts";
import { finishAsync } from "../../db/files/steps.ts";
import { verifyBackup } from "../../db/backups/verify-backup.ts";
import { newestVersion } from "../../db/migrate.ts";
import { openDataFile } from "../../db/open.ts";
import { restoreNow, stageRestore } from "../../db/restore/staged-restore.ts";
import { realWorld } from "../../platform/world.ts";
import { manualClock } from "../support/manual-clock.ts";
import { hubProgram, runHubToEnd, startHubProgram } from "../support/start-hub-program.ts";
import {
  backUpOtherHub,
  countRows,
  filledFile,
  tempFolder,
  leftovers,
  overwrite,
  hubEnv,
} from "../support/data/data-files.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const world = realWorld(pino({ level: "silent" }));

describe("opening", () => {
  it("a second hub on the same data file is refused [DB-2]", async () => {
    const hub = await startTestHub();
    const { code, stderr, stdout } = await runHubToEnd(hubEnv(hub.dbPath));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(hub.dbPath);
    expect(stderr).toContain("in use");
    expect((await hub.send("GET", "/health")).status).toBe(200);
  });

  it("a data file of a newer version is refused and left unchanged [DB-3]", async () => {
    const { dbPath } = await filledFile();
    const backups = path.join(path.dirname(dbPath), "backups");
    mkdirSync(backups);
    const good = path.join(backups, "hub-before-2-2026-01-01T00-00-00-000Z.sqlite");
    copyFileSync(dbPath, good);
    const db = new Database(dbPath);
    db.pragma(`user_version = ${newestVersion + 1}`);
    db.close();
    copyFileSync(dbPath, path.join(backups, "hub-daily-2026-01-02T00-00-00-000Z.sqlite"));
    const { code, stderr } = await runHubToEnd(hubEnv(dbPath));
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("newer");
    expect(stderr).toContain(dbPath);
    expect(stderr).toContain(`restore ${good}`);
    const after = new Database(dbPath, { readonly: true });
    expect(after.prepare("SELECT count(*) AS n FROM orders").get()).toEqual({ n: 200 });
    after.close();
    expect(readdirSync(path.dirname(dbPath)).filter((name) => name.includes("damaged"))).toEqual([]);
  });

  it.each([
    ["its head", 0, 100],
    ["its middle", 0.4, 8192],
    ["its end", 0.9, 4096],
  ])("a data file damaged in %s is set aside [DB-4, DB-5]", async (_, share, size) => {
    const { dbPath } = await filledFile();
    const backups = path.join(path.dirname(dbPath), "backups");
    mkdirSync(backups);
    const good = path.join(backups, "hub-daily-2026-01-01T00-00-00-000Z.sqlite");
    copyFileSync(dbPath, good);
    const bad = path.join(backups, "hub-daily-2026-01-02T00-00-00-000Z.sqlite");
    writeFileSync(bad, "nonsense");
    utimesSync(good, new Date(), new Date(Date.now() - 60_000));
    const position = Math.floor((statSync(dbPath).size * share) / 4096) * 4096;
    overwrite(dbPath, position, Buffer.alloc(size, 0x5a));
    const damaged = readFileSync(dbPath);

    const first = await runHubToEnd(hubEnv(dbPath));
    expect(first.code).toBe(1);
    expect(first.stderr.trim().split("\n")).toHaveLength(1);
    expect(first.stderr).toContain("damaged");
    expect(first.stderr).toContain(good);
    const aside = readdirSync(path.dirname(dbPath)).filter(
      (name) => name.startsWith("hub.sqlite.damaged-") && !/-(wal|shm)$/.test(name),
    );
    expect(aside).toHaveLength(1);
    expect(readFileSync(path.join(path.dirname(dbPath), aside[0] ?? "")).equals(damaged)).toBe(true);
    expect(existsSync(dbPath)).toBe(false);

    const second = await runHubToEnd(hubEnv(dbPath));
    expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 1, stderr: first.stderr });
    expect(existsSync(dbPath)).toBe(false);
  });

  it("a hub on a restored backup starts with a new epoch [DB-6]", async () => {
    const { dbPath, token, url } = await filledFile();
    const before = await startHubProgram(hubEnv(dbPath, url));
    const till = await before.terminal(token, "till");
    const since = { hubId: till.sync.hubId, epoch: till.sync.epoch, seq: till.sync.seq };
    const backups = path.join(path.dirname(dbPath), "backups");
    const backup = await until("the daily backup", () => listBackups(backups)[0], 20_000);
    await before.end("SIGTERM");
    overwrite(dbPath, 0, Buffer.alloc(100));
    await runHubToEnd(hubEnv(dbPath, url));
    const restore = spawnSync(process.execPath, [hubProgram, "restore", backup.path], {
      env: { ...hubEnv(dbPath, url) },
      cwd: tmpdir(),
      encoding: "utf8",
    });
    expect(restore, restore.stderr + restore.stdout).toMatchObject({ status: 0 });
    const after = await startHubProgram(hubEnv(dbPath, url));
    const again = await after.terminal(token, "till", { since });
    expect(again.sync).toMatchObject({ mode: "full", hubId: since.hubId });
    expect(again.sync.epoch).not.toBe(since.epoch);
    await until(
      "all orders",
      () => again.received.flatMap((message) => (message.type === "SYNC" ? message.orders : [])).length === 200,
    );
    await after.end("SIGTERM");
  });

  it.each([
    ["/proc/nowhere/deeper/hub.sqlite", "its folder does not exist or cannot be reached"],
    [tmpdir(), "it is a folder"],
  ])("the data file path %s is refused because %s [DB-9]", async (dbPath, reason) => {
    const { code, stderr } = await runHubToEnd(hubEnv(dbPath));
    expect(code).toBe(1);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("HUB_DB_PATH");
    expect(stderr).toContain(dbPath);
    expect(stderr).toContain(reason);
  });

  it("a data file path in a missing folder is refused, and --empty creates the folder [DB-9]", async () => {
    const folder = path.join(tempFolder(), "not mounted");
    const env = hubEnv(path.join(folder, "data", "hub.sqlite"));
    expect(await runHubToEnd(env)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `The data file ${env.HUB_DB_PATH} (HUB_DB_PATH) cannot be used: its folder does not exist or cannot be reached.\n`,
    });
    expect(existsSync(folder)).toBe(false);
    await (await startHubProgram(env, { args: ["--empty"] })).end("SIGTERM");
    await (await startHubProgram(env)).end("SIGTERM");
  });

  it("a pipe at the data file path is refused and left as it is [DB-9]", async () => {
    const folder = tempFolder();
    const pipe = path.join(folder, "hub.sqlite");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const { code, stderr } = await runHubToEnd(hubEnv(pipe));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `The data file ${pipe} (HUB_DB_PATH) cannot be used: it is a device or a pipe, not a file.\n`,
    });
    expect(statSync(pipe).isFIFO()).toBe(true);
    expect(readdirSync(folder)).toEqual(["hub.sqlite"]);
  });
});

describe("backups", () => {
  it("backups are made daily, and no additional ones when the clock is put back [DB-7]", async () => {
    const clock = manualClock(Date.now());
    const hub = await startTestHub({ world: clock.world });
    const dir = path.join(path.dirname(hub.dbPath), "backups");
    const daily = (): number => listBackups(dir).filter((backup) => backup.kind === "daily").length;
    await until("the first", () => {
      clock.advance(100);
      return daily() === 1;
    });
    clock.jumpWall(-2 * 3_600_000);
    const minute = async (): Promise<void> => {
      clock.advance(60_000);
      for (let i = 0; i < 20; i += 1) await hub.send("GET", "/health");
    };
    for (let i = 0; i < 5; i += 1) await minute();
    expect(daily()).toBe(1);
    clock.jumpWall(-40 * 24 * 3_600_000);
    for (let i = 0; i < 5; i += 1) await minute();
    expect(daily()).toBe(1);
    clock.advance(26 * 3_600_000);
    await until("the next day's", async () => {
      await minute();
      return daily() === 2;
    });
  });

  /** Starts a hub whose backup folder already has a daily backup of another hub. */
  async function startBesideOtherHub(env: Record<string, string> = {}) {
    const dir = tempFolder();
    const name = await backUpOtherHub(dir);
    const clock = manualClock(Date.now());
    const hub = await startTestHub({ world: clock.world, env: { HUB_BACKUP_DIR: dir, ...env } });
    return { dir, clock, hub, name };
  }

  it("a daily backup is made although the folder has another hub's backup [DB-7]", async () => {
    const { dir, clock } = await startBesideOtherHub();
    await until("its own", () => {
      clock.advance(100);
      return listBackups(dir).length === 2;
    });
  });

  it("another hub's backup does not count as a good backup of this one [BAK-30]", async () => {
    const { hub, name } = await startBesideOtherHub();
    const call = operatorOf(hub);
    expect((await call("verifyBackup", { params: { name } })).body.backup).toMatchObject({ verified: "good" });
    expect((await call("backups")).body).toMatchObject({ backups: [{ name }], lastGoodAt: null });
    expect((await call("overview")).body.lastBackupAt).toBeNull();
  });

  it("another hub's backup is not copied into the second folder [BAK-35]", async () => {
    const second = tempFolder();
    const { hub, name } = await startBesideOtherHub({ HUB_BACKUP_SECOND_DIR: second });
    const call = operatorOf(hub);
    await call("verifyBackup", { params: { name } });
    const own = (await call("makeBackup")).body.backup.name;
    await until("the copies", async () => ((await call("backups")).body.second?.copies ?? 0) > 0);
    expect((await call("backups")).body.second).toMatchObject({ copies: 1 });
    expect(listBackups(second).map((copy) => copy.name)).toEqual([own]);
  });

  it("daily backups of the last seven days are kept [DB-7]", async () => {
    const { dbPath } = await filledFile();
    const dir = path.join(path.dirname(dbPath), "backups");
    for (let day = 1; day <= 9; day += 1) {
      const at = Date.parse(`2026-11-0${day}T03:00:00Z`);
      const daily = await finishAsync(backUp({ file: dbPath, dir, kind: "daily", at, bad: [] }));
      utimesSync(daily.path, at / 1000, at / 1000);
    }
    const names = listBackups(dir).map((backup) => backup.name.slice(10, 20));
    expect(names).toEqual(["09", "08", "07", "06", "05", "04", "03"].map((day) => `2026-11-${day}`));
  });

  it("a backup is complete although some transaction is always open [DB-8]", async () => {
    const { dbPath } = await filledFile();
    const dir = path.join(path.dirname(dbPath), "backups");
    const { db, close } = openDataFile({ file: dbPath, backupDir: dir, world });
    const changes = createChangeLog(db, world);
    const insert = db.prepare("INSERT INTO audit_log (at, user_name, action) VALUES (?, 'x', ?)");
    let isOver = false;
    let acknowledged = 0;
    const write = async (): Promise<void> => {
      while (!isOver) {
        await changes.write(() => void insert.run(Date.now(), "y".repeat(5_000)));
        acknowledged += 1;
      }
    };
    const writing = Array.from({ length: 4 }, write);
    await until("some writes", () => acknowledged > 300);
    const before = acknowledged;
    const backup = await finishAsync(makeBackup({ file: dbPath, dir, kind: "manual", at: Date.now() }));
    const after = acknowledged;
    isOver = true;
    await Promise.all(writing);
    close();
    expect(after).toBeGreaterThan(before);
    expect(verifyBackup(backup.path)).toEqual({ ok: true, detail: "ok" });
    expect(readdirSync(dir)).toEqual([backup.name]);
    const copy = new Database(backup.path, { readonly: true });
    expect(copy.prepare("SELECT count(*) AS n FROM orders").get()).toEqual({ n: 200 });
    const { n } = copy.prepare<[], { n: number }>("SELECT count(*) AS n FROM audit_log").get() ?? { n: 0 };
    expect(n).toBeGreaterThanOrEqual(before);
    copy.close();
  });

  it("a backup of an incomplete file fails and leaves no file [DB-8]", async () => {
    const { dbPath } = await filledFile();
    const dir = path.join(path.dirname(dbPath), "backups");
    const db = new Database(dbPath);
    db.exec("DROP TABLE hub_state");
    db.close();
    const backup = finishAsync(makeBackup({ file: dbPath, dir, kind: "manual", at: Date.now() }));
    await expect(backup).rejects.toThrow("no data file");
    expect(readdirSync(dir)).toEqual([]);
  });

  it("a restore interrupted at any step finishes and keeps the replaced file [DB-20]", async () => {
    const { dbPath } = await filledFile();
    const backupDir = path.join(path.dirname(dbPath), "backups");
    const backup = await finishAsync(makeBackup({ file: dbPath, dir: backupDir, kind: "manual", at: Date.now() }));
    const db = new Database(dbPath);
    db.prepare("DELETE FROM orders").run();
    db.close();
    const before = readFileSync(dbPath);
    const aside = `${dbPath}.replaced-x`;
    // A power cut during the copy, between the two renames, or before the note is removed.
    const cuts: [string, () => void][] = [
      ["copying", () => writeFileSync(`${dbPath}.next.part`, Buffer.alloc(10_000))],
      [
        "between the renames",
        () => {
          copyFileSync(backup.path, `${dbPath}.next`);
          renameSync(dbPath, aside);
        },
      ],
      [
        "before the note is removed",
        () => {
          renameSync(dbPath, aside);
          copyFileSync(backup.path, dbPath);
        },
      ],
    ];
    for (const [name, cut] of cuts) {
      rmSync(aside, { force: true });
      writeFileSync(dbPath, before);
      stageRestore(dbPath, { backup: backup.path, aside, by: "manager" });
      cut();
      const { close, restore } = openDataFile({ file: dbPath, backupDir, world });
      close();
      expect(restore, name).toMatchObject({ done: { backup: backup.path } });
      expect(readFileSync(aside).equals(before), name).toBe(true);
      expect(leftovers(dbPath), name).toEqual(["hub.sqlite.last-seen", "hub.sqlite.lock", "hub.sqlite.replaced-x"]);
      expect(countRows(dbPath, "orders"), name).toBe(200);
    }
  });

  it("a restored copy never issues a seq twice [DB-6]", async () => {
    const { dbPath } = await filledFile();
    const db = new Database(dbPath);
    // A copy taken between a write and the end of its commit group.
    db.prepare("UPDATE hub_state SET seq = seq - 5").run();
    db.close();
    const copy = `${dbPath}.copy`;
    copyFileSync(dbPath, copy);
    restoreNow({ dbPath, backupDir: path.join(path.dirname(dbPath), "backups") }, copy, "test", world);
    const restored = new Database(dbPath);
    expect(restored.prepare("SELECT seq FROM hub_state").get()).toEqual(
      restored.prepare("SELECT max(seq) AS seq FROM orders").get(),
    );
    restored.close();
  });
});

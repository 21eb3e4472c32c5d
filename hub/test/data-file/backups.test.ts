// @module-tag long
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createChangeLog } from "../../changes/change-log.ts";
import { listBackups, placeOf, removePartialBackups, type BackupFile } from "../../db/backups/backup-files.ts";
import { compressBackup } from "../../db/backups/compressed-backup.ts";
import { backUp } from "../../db/backups/keep-backups.ts";
import { makeBackup } from "../../db/backups/make-backup.ts";
import { openDataFile } from "../../db/open.ts";
import { restoreNow } from "../../db/restore/staged-restore.ts";
import { finish, finishAsync } from "../../db/files/steps.ts";
import { newestGoodBackup, verifyBackup } from "../../db/backups/verify-backup.ts";
import { realWorld } from "../../platform/world.ts";
import { takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import { countRows, filledFile, tempFolder, overwrite } from "../support/data/data-files.ts";
import { manualClock, type ManualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { failingDisk, smallDisk } from "../support/data/small-disk.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const world = realWorld(pino({ level: "silent" }));
const MB = 1024 * 1024;
const HOUR = 3_600_000;

/** Grows a data file by about `bytes` of text that compresses to a third. No hub may have the file open. */
function grow(file: string, bytes: number): void {
  const db = new Database(file);
  const insert = db.prepare("INSERT INTO audit_log (at, user_name, action) VALUES (1, 'x', ?)");
  db.transaction(() => {
    for (let done = 0; done < bytes; done += 40_000) {
      insert.run(world.random.bytes(10_000).toString("hex") + "n".repeat(20_000));
    }
  })();
  db.close();
}

/** A closed data file with 200 orders, above the size from which backups are compressed. */
async function largeFile(): Promise<{ dbPath: string; dir: string }> {
  const { dbPath } = await filledFile();
  grow(dbPath, 34 * MB);
  return { dbPath, dir: path.join(path.dirname(dbPath), "backups") };
}

function usedBy(dir: string): number {
  return readdirSync(dir).reduce((total, name) => total + statSync(path.join(dir, name)).size, 0);
}

function dailyAt(iso: string) {
  return { kind: "daily", at: Date.parse(iso), bad: [] } as const;
}

describe("the list of backups", () => {
  it("the list of backups is never answered as empty while the hub stops [OP-583]", async () => {
    const hub = await startTestHub();
    const operator = operatorOf(hub);
    const token = await hub.signIn("manager");
    expect((await operator("makeBackup", { token })).status).toBe(201);
    const requests = Array.from({ length: 40 }, () => operator("backups", { token }).catch(() => null));
    await Promise.race(requests);
    await hub.hub.stop();
    const answers = (await Promise.all(requests)).filter((answer) => answer?.status === 200);
    expect(answers.filter((answer) => answer?.body.backups.length === 0)).toEqual([]);
  });
});

describe("a backup", () => {
  it("a backup neither starts over nor blocks a writer, however much is written [BAK-1]", async () => {
    const { dbPath, dir } = await largeFile();
    grow(dbPath, 60 * MB);
    const { db, close } = openDataFile({ file: dbPath, backupDir: dir, world });
    const changes = createChangeLog(db, world);
    const insert = db.prepare("INSERT INTO audit_log (at, user_name, action) VALUES (2, 'x', ?)");
    let [isOver, acknowledged] = [false, 0];
    const write = async (): Promise<void> => {
      while (!isOver) {
        await changes.write(() => void insert.run("y".repeat(5_000)));
        acknowledged += 1;
      }
    };
    const writing = Array.from({ length: 4 }, write);
    await until("some writes", () => acknowledged > 100);
    const steps = makeBackup({ file: dbPath, dir, kind: "manual", at: Date.now() });
    const before = acknowledged;
    const copied: number[] = [];
    const writtenDuringCopy: number[] = [];
    let step = await steps.next();
    for (; step.done !== true; step = await steps.next()) {
      if (step.value?.step !== "copying") continue;
      copied.push(step.value.progress);
      writtenDuringCopy.push(acknowledged);
    }
    isOver = true;
    await Promise.all(writing);
    close();
    expect(copied.length).toBeGreaterThan(2);
    expect(copied).toEqual(copied.toSorted((a, b) => a - b));
    expect(new Set(writtenDuringCopy).size).toBe(writtenDuringCopy.length);
    expect(step.value).toMatchObject({ ok: true, detail: "ok" });
    const copy = new Database(step.value.path, { readonly: true });
    const { n } = copy.prepare("SELECT count(*) AS n FROM audit_log WHERE at = 2").get() as { n: number };
    copy.close();
    expect(n).toBeGreaterThanOrEqual(before);
    expect(n).toBeLessThan(writtenDuringCopy[0] ?? 0);
  });

  it("a daily backup with a damaged record is deleted, and a manual one is kept as bad [BAK-2]", async () => {
    const { dbPath } = await filledFile();
    const dir = path.join(path.dirname(dbPath), "backups");
    const db = new Database(dbPath);
    db.prepare("UPDATE order_versions SET checksum = checksum + 1 WHERE pos_reference = 'F7'").run();
    db.close();
    const options = { file: dbPath, dir, at: Date.now() };
    const daily = await finishAsync(makeBackup({ ...options, kind: "daily" }));
    expect(daily).toMatchObject({ ok: false, detail: "1 stored records are damaged: 1 of order_versions" });
    expect(readdirSync(dir)).toEqual([]);
    const manual = await finishAsync(makeBackup({ ...options, kind: "manual" }));
    expect(manual).toMatchObject({ ok: false });
    expect(readdirSync(dir)).toEqual([manual.name]);
  });

  it("a backup reports its progress and leaves no partial file when the hub stops [BAK-4]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    await hub.restart(() => grow(hub.dbPath, 60 * MB));
    const request = call("makeBackup").catch(() => null);
    const { work } = await until("progress", async () => {
      const { body } = await call("backups");
      return (body.work[0]?.progress ?? 0) > 0 ? body : null;
    });
    expect(work).toMatchObject([{ step: "copying", name: null }]);
    await hub.hub.stop();
    await request;
    expect(readdirSync(path.join(path.dirname(hub.dbPath), "backups"))).toEqual([]);
    await hub.restart();
  });
});

describe("a compressed backup", () => {
  it("a compressed backup is listed, verified, previewed, downloaded and restored like any other [BAK-10]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    await hub.restart(() => grow(hub.dbPath, 34 * MB));
    const till = await hub.terminal({ login: "cashier" });
    const dir = path.join(path.dirname(hub.dbPath), "backups");
    const change = (posReference: string) =>
      till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
    await change("EARLY");
    const first = (await call("makeBackup")).body.backup;
    const plain = readFileSync(path.join(dir, first.name));
    await change("LATE");
    const second = (await call("makeBackup")).body.backup;
    expect(readdirSync(dir).filter((name) => name.includes("manual"))).toEqual([`${first.name}.zst`, second.name]);

    const listed = (await call("backups")).body.backups as { name: string; bytes: number }[];
    expect(listed.filter(({ name }) => name.includes("manual"))).toMatchObject([
      { name: second.name, compressed: false, verified: "good" },
      { name: first.name, compressed: true, verified: "good", createdAt: first.createdAt },
    ]);
    expect(listed.find(({ name }) => name === first.name)?.bytes).toBeLessThan(0.7 * plain.length);
    const params = { name: first.name };
    expect((await call("verifyBackup", { params })).body.backup).toMatchObject({ compressed: true, verified: "good" });
    expect((await call("previewBackup", { params })).body).toMatchObject({
      orders: 1,
      lost: { total: 1, items: [{ posReference: "LATE" }] },
    });
    const token = await hub.signIn("manager");
    const download = await fetch(`${hub.url}/operator/v1/backups/${first.name}/download`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(download.headers.get("content-disposition")).toBe(`attachment; filename="${first.name}"`);
    expect(Buffer.from(await download.arrayBuffer()).equals(plain)).toBe(true);
    expect((await call("restoreBackup", { params, body: { confirm: first.name } })).status).toBe(202);
    await hub.restart();
    expect((await hub.send("GET", "/health")).body.orders).toBe(1);
    expect(readdirSync(dir).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("a compressed backup is readable by zstd, restorable by path, and refused when damaged [BAK-10]", async () => {
    const { dbPath, dir } = await largeFile();
    const backup = await finishAsync(backUp({ file: dbPath, dir, ...dailyAt("2026-11-01T04:00:00Z") }));
    const plain = readFileSync(backup.path);
    const place = placeOf(backup.path);
    if (place === null) throw new Error("the backup cannot be read");
    finish(compressBackup(backup.path, place, dbPath));
    const compressed = `${backup.path}.zst`;
    const unpacked = spawnSync("zstd", ["-dc", compressed], { maxBuffer: 100 * MB });
    if (unpacked.error === undefined) expect(unpacked.stdout.equals(plain)).toBe(true);

    restoreNow({ dbPath, backupDir: dir }, compressed, "test", world);
    expect(countRows(dbPath, "orders")).toBe(200);
    // A restore also finds it by its name from before the compression.
    restoreNow({ dbPath, backupDir: dir }, backup.path, "test", world);

    overwrite(compressed, Math.floor(statSync(compressed).size / 2), Buffer.from("damage"));
    expect(verifyBackup(compressed)).toMatchObject({ ok: false });
    expect(() => restoreNow({ dbPath, backupDir: dir }, compressed, "test", world)).toThrow("cannot be used");
    expect(countRows(dbPath, "orders")).toBe(200);
    expect(readdirSync(dir)).toEqual([path.basename(compressed)]);
  });

  it("a whole backup is left wherever compression was cut off [BAK-11, DB-29]", async () => {
    const { dbPath, dir } = await largeFile();
    const original = await finishAsync(backUp({ file: dbPath, dir, ...dailyAt("2026-11-01T04:00:00Z") }));
    const copy = `${original.path}.kept`;
    copyFileSync(original.path, copy);
    const place = placeOf(original.path);
    if (place === null) throw new Error("the backup cannot be read");
    const total = [...compressBackup(original.path, place, dbPath)].length;
    expect(total).toBeGreaterThan(10);
    for (let cutAfter = 1; cutAfter <= total; cutAfter += 5) {
      copyFileSync(copy, original.path);
      const steps = compressBackup(original.path, place, dbPath);
      for (let i = 0; i < cutAfter; i += 1) steps.next();
      // Simulates a kill: the remaining steps never run.
      removePartialBackups(dir, { dbPath, now: Date.now() });
      const [backup, ...others] = listBackups(dir);
      expect(others).toEqual([]);
      expect(backup && verifyBackup(backup.path), `cut after ${cutAfter} of ${total}`).toEqual({
        ok: true,
        detail: "ok",
      });
      expect(readdirSync(dir).filter((name) => name.endsWith(".part"))).toEqual([]);
    }
  });

  it("the data file and its backups stay below three times its size, even during a backup [BAK-12]", async () => {
    const { dbPath, dir } = await largeFile();
    const fileBytes = statSync(dbPath).size;
    let maxBytes = 0;
    for (let day = 1; day <= 4; day += 1) {
      const steps = backUp({ file: dbPath, dir, ...dailyAt(`2026-11-0${day}T04:00:00Z`) });
      for (let step = await steps.next(); step.done !== true; step = await steps.next()) {
        maxBytes = Math.max(maxBytes, fileBytes + (existsSync(dir) ? usedBy(dir) : 0));
      }
      const backups = listBackups(dir);
      expect(backups.filter(({ isCompressed }) => !isCompressed)).toHaveLength(1);
      expect(backups[0]).toMatchObject({ name: `hub-daily-2026-11-0${day}T04-00-00-000Z.sqlite`, isCompressed: false });
    }
    expect(maxBytes).toBeLessThan(3 * fileBytes);
    expect(listBackups(dir).length).toBeGreaterThanOrEqual(2);
  });

  it("a truncated backup does not count as the newest good one [BAK-20]", async () => {
    const { dbPath, dir } = await largeFile();
    const older = await finishAsync(backUp({ file: dbPath, dir, ...dailyAt("2026-11-01T04:00:00Z") }));
    grow(dbPath, MB);
    const newer = await finishAsync(backUp({ file: dbPath, dir, ...dailyAt("2026-11-02T04:00:00Z") }));
    expect(newestGoodBackup(dir, dbPath)).toBe(newer.path);
    // The check does not read records; a restore reads the whole file.
    const { size } = statSync(newer.path);
    overwrite(newer.path, Math.floor(size * 0.7), Buffer.alloc(100_000, 0x5a));
    expect(newestGoodBackup(dir, dbPath)).toBe(newer.path);
    expect(verifyBackup(newer.path).ok).toBe(false);
    truncateSync(newer.path, size - 8192);
    expect(newestGoodBackup(dir, dbPath)).toBe(`${older.path}.zst`);
    truncateSync(`${older.path}.zst`, statSync(`${older.path}.zst`).size - 1);
    expect(newestGoodBackup(dir, dbPath)).toBeNull();
  });
});

/** Returns a time in November 2026 in the machine's time zone, in ms since 1970. */
function localTime(day: number, hour: number, minute = 0): number {
  return new Date(2026, 10, day, hour, minute).getTime();
}

/** Advances the clock by a minute and lets the hub run its due work. */
async function minute(clock: ManualClock, hub: TestHub): Promise<void> {
  clock.advance(60_000);
  for (let i = 0; i < 5; i += 1) await hub.send("GET", "/health");
}

describe("the daily backup ", () => {
  /** Start times of the daily backups, newest first. */
  const times = (dir: string): number[] => listBackups(dir).map(({ createdAt }) => createdAt);

  async function startAt(at: number, env: Record<string, string> = {}) {
    const clock = manualClock(at);
    const hub = await startTestHub({ world: clock.world, env });
    const dir = path.join(path.dirname(hub.dbPath), "backups");
    await until("the first backup", () => {
      clock.advance(100);
      return times(dir).length === 1;
    });
    await until("the first backup is known", async () => {
      const { body } = await operatorOf(hub)("backups");
      return body.work.length === 0 && body.backups[0].verified === "good";
    });
    const change = async (): Promise<void> => {
      expect((await hub.external().post("/orders", takeoutOrder())).status).toBe(201);
    };
    return { clock, hub, dir, change, first: times(dir)[0] ?? 0 };
  }

  it("the daily backup is made in the first quiet minutes after 04:00 [BAK-3]", async () => {
    const { clock, hub, dir, change, first } = await startAt(localTime(20, 20));
    clock.advance(localTime(21, 3, 50) - clock.world.clock.now());
    for (let i = 0; i < 25; i += 1) {
      await minute(clock, hub);
      await change();
    }
    expect(times(dir)).toEqual([first]);
    const lastChangeAt = clock.world.clock.now();
    expect(lastChangeAt).toBeGreaterThan(localTime(21, 4, 14));
    await until("the second", async () => {
      await minute(clock, hub);
      return times(dir).length === 2;
    });
    const [second = 0] = times(dir);
    expect(second - lastChangeAt).toBeGreaterThanOrEqual(5 * 60_000);
    expect(second - lastChangeAt).toBeLessThanOrEqual(8 * 60_000);
  });

  it("the daily backup follows the restaurant's time zone, not the PC's [BAK-36]", async () => {
    // 04:00 there is 13:30 UTC.
    const env = { HUB_TIME_ZONE: "Pacific/Marquesas" };
    const { clock, hub, dir } = await startAt(Date.parse("2026-11-20T23:00:00Z"), env);
    clock.advance(Date.parse("2026-11-21T13:20:00Z") - clock.world.clock.now());
    await until("the second", async () => {
      await minute(clock, hub);
      return times(dir).length === 2;
    });
    expect(times(dir)[0]).toBeGreaterThanOrEqual(Date.parse("2026-11-21T13:30:00Z"));
    expect(times(dir)[0]).toBeLessThanOrEqual(Date.parse("2026-11-21T13:40:00Z"));
  });

  it("the daily backup waits at most 26 hours for a quiet moment [BAK-3]", async () => {
    const { clock, dir, change, first } = await startAt(localTime(20, 3));
    clock.advance(localTime(21, 3, 59) - clock.world.clock.now());
    await change();
    await until("the second", async () => {
      clock.advance(4 * 60_000);
      await change();
      return times(dir).length === 2;
    });
    const [second = 0] = times(dir);
    expect(second - first).toBeGreaterThanOrEqual(26 * HOUR - 60_000);
    expect(second - first).toBeLessThanOrEqual(26 * HOUR + 10 * 60_000);
  });

  it("hours in which the PC sleeps count towards the daily backup [BAK-3]", async () => {
    const { clock, hub, dir } = await startAt(localTime(20, 20));
    clock.advance(4 * HOUR);
    clock.sleep(16 * HOUR);
    for (let i = 0; i < 10; i += 1) await minute(clock, hub);
    await until("the second", () => times(dir).length === 2);
  });

  it("the daily backup is not repeated by a hub that starts within 26 hours of the last [BAK-3]", async () => {
    const { clock, hub, dir, first } = await startAt(localTime(20, 20));
    await hub.restart(() => clock.jumpWall(4 * HOUR));
    for (let i = 0; i < 10; i += 1) await minute(clock, hub);
    expect(times(dir)).toEqual([first]);
    await hub.restart(() => clock.jumpWall(23 * HOUR));
    await until("the second", async () => {
      await minute(clock, hub);
      return times(dir).length === 2;
    });
  });
});

describe("a full disk", () => {
  it("a backup is not started on a disk without enough space [BAK-13]", async () => {
    const { dbPath } = await filledFile();
    const dir = path.join(path.dirname(dbPath), "backups");
    // A sparse file of 8 TB: no disk has room for its backup.
    truncateSync(dbPath, 8 * 1024 * 1024 * MB);
    const backup = finishAsync(makeBackup({ file: dbPath, dir, kind: "manual", at: Date.now() }));
    await expect(backup).rejects.toMatchObject({ code: "NO_SPACE" });
    expect(existsSync(dir)).toBe(false);
  });

  it("a disk that fails during a backup is named, even if the partial file cannot be removed [BAK-13]", async () => {
    const { dbPath } = await filledFile();
    const disk = failingDisk(path.dirname(dbPath));
    if (disk === null) return;
    const backup = finishAsync(makeBackup({ file: dbPath, dir: disk.folder, kind: "manual", at: Date.now() }));
    expect(readdirSync(disk.folder).filter((name) => name.endsWith(".part"))).toHaveLength(1);
    disk.fail();
    await expect(backup).rejects.toMatchObject({
      code: "EIO",
      message: expect.stringContaining("the copy cannot be written"),
    });
  });

  it("a failed daily backup stops no service, shows in health and once in the feed, and is retried [BAK-13, BAK-14]", async () => {
    const lines: { msg: string; reason?: string; attempts?: number }[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const attempts = () => lines.filter(({ msg }) => msg === "the daily backup could not be made");
    const disk = smallDisk(path.join(tempFolder(), "disk"));
    const clock = manualClock(localTime(20, 12));
    const hub = await startTestHub({ world: { ...clock.world, log }, env: { HUB_BACKUP_DIR: disk.folder } });
    await hub.restart(disk.fill);
    const call = operatorOf(hub);
    const reasons = async (): Promise<string[]> => (await hub.send("GET", "/health")).body.reasons;
    await until("health says so", async () => {
      clock.advance(100);
      return (await reasons()).includes("backup");
    });
    expect(await reasons()).toEqual(["backup"]);
    const till = await hub.terminal();
    await till.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });

    const { failure, backups } = (await call("backups")).body;
    expect(backups).toEqual([]);
    expect(failure).toMatchObject({ reason: disk.isReal ? "no_space" : "failed" });
    expect(Date.parse(failure.nextAttemptAt) - clock.world.clock.now()).toBeGreaterThan(4 * 60_000);
    if (disk.isReal) {
      expect(await call("makeBackup")).toMatchObject({ status: 503, body: { errorCode: "STORAGE_FULL" } });
    }
    expect(attempts()).toHaveLength(1);
    for (let i = 0; i < 4; i += 1) await minute(clock, hub);
    expect(attempts()).toHaveLength(1);
    await until("the second attempt", async () => {
      await minute(clock, hub);
      return attempts().length === 2;
    });
    expect(attempts().map((line) => line.attempts)).toEqual([1, 2]);
    const { entries } = (await call("feed")).body;
    expect(entries.filter(({ kind }: { kind: string }) => kind === "backup_failed")).toHaveLength(1);

    disk.freeSpace();
    const before = clock.world.clock.now();
    await until("a backup", async () => {
      await minute(clock, hub);
      return listBackups(disk.folder).length === 1;
    });
    const [backup] = listBackups(disk.folder) as [BackupFile];
    expect(backup.createdAt - before).toBeLessThanOrEqual((disk.isReal ? 1 : 15) * 60_000);
    await until("health is well again", async () => !(await reasons()).includes("backup"));
    expect((await call("backups")).body).toMatchObject({
      failure: null,
      lastGoodAt: new Date(backup.createdAt).toISOString(),
    });
    expect((await call("overview")).body.lastBackupAt).toBe(new Date(backup.createdAt).toISOString());
    await hub.stop();
  });
});

it("no backup is written into the empty folder of an unmounted disk until it is back [BAK-117]", async () => {
  const at = path.join(tempFolder(), "disk");
  const disk = smallDisk(at);
  if (!disk.isReal) return;
  const clock = manualClock(localTime(20, 12));
  const hub = await startTestHub({ world: clock.world, env: { HUB_BACKUP_DIR: disk.folder } });
  const call = operatorOf(hub);
  const make = () => call("makeBackup");
  expect((await make()).status).toBe(201);
  await hub.restart(disk.unmount);
  const refused = await make();
  expect(refused).toMatchObject({ status: 503, body: { errorCode: "UPSTREAM_UNAVAILABLE" } });
  expect(refused.body.error).toContain(`the disk of ${disk.folder} is not there`);
  await until("why there is no daily one", async () => {
    clock.advance(1_000);
    return (await call("backups")).body.failure?.reason === "missing";
  });
  expect((await call("testBackupFolders")).body.first.result).toBe("missing");
  // The way the command line and migrations make a backup, without a running hub.
  const options = { file: hub.dbPath, dir: disk.folder, kind: "manual", at: 1 } as const;
  await expect(finishAsync(makeBackup(options))).rejects.toMatchObject({ code: "ENODEV" });
  expect(readdirSync(at)).toEqual([]);
  disk.remount();
  expect((await call("testBackupFolders")).body.first.result).toBe("writable");
  const { name } = (await make()).body.backup;
  expect(listBackups(disk.folder).map((backup) => backup.name)).toContain(name);
  await hub.stop();
});

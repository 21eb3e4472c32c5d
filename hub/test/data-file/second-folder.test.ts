// @module-tag long
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { listBackups, placedBackups } from "../../db/backups/backup-files.ts";
import { backUp } from "../../db/backups/keep-backups.ts";
import { fillSecondFolder } from "../../db/backups/second-folder.ts";
import { LOW_DISK_BYTES } from "../../db/files/disk-space.ts";
import { finish, finishAsync } from "../../db/files/steps.ts";
import { verifyBackup } from "../../db/backups/verify-backup.ts";
import type { HubError } from "../../platform/errors.ts";
import { requireAllowedChange } from "../../settings/change-settings.ts";
import { readHubConfig } from "../../settings/config.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { filledFile, tempFolder, growLarge, overwrite } from "../support/data/data-files.ts";
import { manualClock, type ManualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { smallDisk } from "../support/data/small-disk.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const upsert = { type: "ORDER_UPSERT", baseVersion: 0, snapshot: terminalSnapshot() } as const;

/** Creates a closed data file with backups of these days of November, and an empty second folder. */
async function createBackups(days: number[], { large = false } = {}) {
  const { dbPath } = await filledFile();
  if (large) growLarge(dbPath);
  const dir = path.join(path.dirname(dbPath), "backups");
  for (const day of days) await backUpOn(dbPath, dir, day);
  const db = new Database(dbPath, { readonly: true });
  const hubId = String(db.prepare("SELECT hub_id FROM hub_state").pluck().get());
  db.close();
  const second = tempFolder();
  const options = () => ({
    dir,
    second,
    dataFile: dbPath,
    hubId,
    good: listBackups(dir).map(({ name }) => name),
  });
  return { dbPath, dir, second, hubId, order: options, fill: () => finish(fillSecondFolder(options())) };
}

async function backUpOn(dbPath: string, dir: string, day: number): Promise<void> {
  // Each backup has a higher `seq` than the one before.
  const db = new Database(dbPath);
  db.prepare("UPDATE hub_state SET seq = seq + 1").run();
  db.close();
  const at = Date.parse(`2026-11-${String(day).padStart(2, "0")}T08:00:00Z`);
  await finishAsync(backUp({ file: dbPath, dir, kind: "daily", at, bad: [] }));
}

/** Stores that this folder was on another disk, as the hub does with its first backup there. */
function rememberOtherDisk(dbPath: string, name: string, folder: string): void {
  const db = new Database(dbPath);
  const value = JSON.stringify({ folder, dbPath, facts: { isSameDisk: false } });
  db.prepare("INSERT OR REPLACE INTO remembered (name, value, at) VALUES (?, ?, 1)").run(name, value);
  db.close();
}

const namesOf = (dir: string): string[] => listBackups(dir).map(({ name }) => name);

describe("the second folder", () => {
  it("the second folder gets every good backup under its name, and keeps as many as the first [BAK-32]", async () => {
    const { dbPath, dir, second, fill } = await createBackups([1, 2, 3]);
    expect(fill()).toMatchObject({ copies: 3, newestAt: Date.parse("2026-11-03T08:00:00Z") });
    expect(namesOf(second)).toEqual(namesOf(dir));
    for (const { path: file } of listBackups(second)) expect(verifyBackup(file).ok).toBe(true);
    for (let day = 4; day <= 12; day += 1) await backUpOn(dbPath, dir, day);
    fill();
    expect(namesOf(second)).toEqual(namesOf(dir));
    expect(namesOf(second)).toHaveLength(7);
    // The first disk is replaced; the backups in the second folder must be kept.
    rmSync(dir, { recursive: true });
    await backUpOn(dbPath, dir, 13);
    fill();
    expect(namesOf(second)).toHaveLength(7);
    expect(namesOf(second)[0]).toBe(namesOf(dir)[0]);
  });

  it("a large backup is copied compressed, and not again when the first folder compresses it [BAK-32]", async () => {
    const { dbPath, dir, second, fill } = await createBackups([1], { large: true });
    fill();
    const [copy] = listBackups(second);
    expect(copy).toMatchObject({ name: namesOf(dir)[0], isCompressed: true });
    expect(verifyBackup(copy?.path ?? "").ok).toBe(true);
    const before = readFileSync(copy?.path ?? "");
    await backUpOn(dbPath, dir, 2);
    expect(listBackups(dir)[1]).toMatchObject({ isCompressed: true });
    fill();
    expect(readFileSync(copy?.path ?? "").equals(before)).toBe(true);
    expect(namesOf(second)).toEqual(namesOf(dir));
  });

  it("the oldest copy is deleted first when the second disk has no room for a new one [BAK-32]", async () => {
    const { dbPath, dir, order } = await createBackups([1, 2, 3, 4, 5, 6, 7]);
    const disk = smallDisk(path.join(tempFolder(), "disk"));
    mkdirSync(disk.folder);
    const fill = () => finish(fillSecondFolder({ ...order(), second: disk.folder }));
    fill();
    await backUpOn(dbPath, dir, 8);
    const { bavail, bsize } = statfsSync(disk.folder);
    const [{ bytes } = { bytes: 0 }] = listBackups(dir);
    const remaining = LOW_DISK_BYTES + bytes - bsize;
    if (disk.isReal) writeFileSync(path.join(disk.folder, "something-else"), Buffer.alloc(bavail * bsize - remaining));
    expect(fill()).toMatchObject({ copies: 7, newestAt: Date.parse("2026-11-08T08:00:00Z") });
    expect(namesOf(disk.folder)).toEqual(namesOf(dir));
  });

  it("no copy is deleted when that would not make enough room [BAK-32]", async () => {
    const { dbPath, dir, order } = await createBackups([1, 2, 3, 4, 5, 6, 7]);
    const disk = smallDisk(path.join(tempFolder(), "disk"));
    if (!disk.isReal) return;
    mkdirSync(disk.folder);
    const fill = () => finish(fillSecondFolder({ ...order(), second: disk.folder }));
    fill();
    const before = namesOf(disk.folder);
    await backUpOn(dbPath, dir, 8);
    disk.fillCompletely();
    expect(fill).toThrow("are needed");
    expect(namesOf(disk.folder)).toEqual(before);
  });

  it("an interrupted copy leaves no partial backup in the second folder [BAK-33]", async () => {
    for (const large of [false, true]) {
      const { dir, second, order } = await createBackups([1], { large });
      const total = [...fillSecondFolder(order())].length;
      expect(total).toBeGreaterThan(2);
      for (let cutAfter = 1; cutAfter < total; cutAfter += large ? 4 : 1) {
        for (const name of readdirSync(second)) rmSync(path.join(second, name));
        const steps = fillSecondFolder(order());
        for (let i = 0; i < cutAfter; i += 1) steps.next();
        // Simulates a kill: the remaining steps never run.
        for (const { path: file } of listBackups(second)) expect(verifyBackup(file).ok).toBe(true);
        finish(fillSecondFolder(order()));
        expect(namesOf(second), `cut after ${cutAfter} of ${total}`).toEqual(namesOf(dir));
        expect(readdirSync(second)).toHaveLength(1);
      }
    }
  });

  it("a damaged or truncated copy is replaced [BAK-33]", async () => {
    const { dir, second, fill } = await createBackups([1, 2]);
    fill();
    const [newer, older] = listBackups(second).map(({ path: file }) => file) as [string, string];
    overwrite(newer, 0, Buffer.from("not a database"));
    truncateSync(older, 20_000);
    fill();
    for (const file of [newer, older]) expect(verifyBackup(file).ok).toBe(true);
    expect(namesOf(second)).toEqual(namesOf(dir));
  });

  it("hubs sharing a second folder count, keep and clean up only their own copies [BAK-35]", async () => {
    const first = await createBackups([1, 2, 3, 4, 5, 6, 7]);
    const other = await createBackups([2, 4]);
    first.fill();
    const second = first.second;
    const partial = path.join(second, `hub-daily-2026-11-09T08-00-00-000Z.sqlite.${first.hubId.slice(0, 8)}.part`);
    writeFileSync(partial, "being written by the first hub");
    // Both hubs made a backup at the same time; the other hub's file must not change.
    const before = readFileSync(path.join(second, "hub-daily-2026-11-02T08-00-00-000Z.sqlite"));
    await backUpOn(other.dbPath, other.dir, 8);
    const facts = finish(fillSecondFolder({ ...other.order(), second }));
    expect(facts.copies).toBe(1);
    expect(existsSync(partial)).toBe(true);
    expect(readFileSync(path.join(second, "hub-daily-2026-11-02T08-00-00-000Z.sqlite")).equals(before)).toBe(true);
    const owners = placedBackups(second).map(({ place }) => place?.hubId);
    expect(owners.filter((id) => id === first.hubId)).toHaveLength(7);
    expect(first.fill().copies).toBe(7);
    expect(existsSync(partial)).toBe(false);
    expect(placedBackups(second).filter(({ place }) => place?.hubId === other.hubId)).toHaveLength(1);
  });

  it("a backup not known to be good is not copied [BAK-32]", async () => {
    const { second, order } = await createBackups([1, 2]);
    const [, older = ""] = order().good;
    finish(fillSecondFolder({ ...order(), good: [older] }));
    expect(namesOf(second)).toEqual([older]);
  });

  it("the second folder counts as missing when its disk left an empty folder behind [BAK-34]", async () => {
    const { dbPath, second, fill } = await createBackups([1]);
    rememberOtherDisk(dbPath, "secondBackupFolder", second);
    expect(fill).toThrow("is not there");
    expect(readdirSync(second)).toEqual([]);
  });
});

describe("the setting HUB_BACKUP_SECOND_DIR", () => {
  const configOf = (second: string, backups = "") =>
    readHubConfig({ HUB_DB_PATH: "/srv/hub/hub.sqlite", HUB_BACKUP_DIR: backups, HUB_BACKUP_SECOND_DIR: second });

  it("HUB_BACKUP_SECOND_DIR is refused within the first folder or the data file's folder [BAK-31]", () => {
    expect(configOf("").secondBackupDir).toBeNull();
    expect(configOf("/mnt/usb/comanda").secondBackupDir).toBe("/mnt/usb/comanda");
    for (const second of ["/srv/hub/backups", "/srv/hub/backups/", "/srv/hub/other", "/srv/hub", "/srv/x/../hub/b"]) {
      expect(() => configOf(second), second).toThrow(/HUB_BACKUP_SECOND_DIR is .* but must not be/);
    }
    expect(() => configOf("/mnt/usb", "/mnt/usb")).toThrow("must not be the folder of the backups");
    expect(() => configOf("/mnt/usb/more", "/mnt/usb")).toThrow("nor in it");
    expect(configOf("/srv/hub-copies").secondBackupDir).toBe("/srv/hub-copies");
    expect(configOf("/srv").secondBackupDir).toBe("/srv");
  });

  it("HUB_BACKUP_SECOND_DIR is refused before it is saved, with a reason that screens translate [BAK-31]", () => {
    const sources = { environment: {}, file: { HUB_DB_PATH: "/srv/hub/hub.sqlite" } };
    const change = (folder: string, isRemote: boolean) => {
      try {
        requireAllowedChange({ HUB_BACKUP_SECOND_DIR: folder }, sources, { canSave: true, isRemote });
        return "saved";
      } catch (error) {
        return (error as HubError).explanation;
      }
    };
    expect(change("/srv/hub/second", false)).toMatchObject({
      reason: "setting_second_folder",
      values: { folder: "/srv/hub/second" },
    });
    expect(change("/mnt/usb", false)).toBe("saved");
    expect(change("/mnt/usb", true)).toMatchObject({ reason: "setting_local_only" });
  });
});

/** Advances the clock by minutes until `poll` returns a result, and lets the hub finish each minute's work. */
function untilMinutesLater<T>(clock: ManualClock, description: string, poll: () => T | Promise<T>) {
  const inOneMinute = () => {
    clock.advance(60_000);
    return until(description, poll, 1_500).catch(() => null);
  };
  return until(description, inOneMinute, 60_000);
}

describe("a hub with a second folder", { timeout: 180_000 }, () => {
  async function start(second: string) {
    const clock = manualClock(Date.parse("2026-11-20T22:00:00Z"));
    const hub = await startTestHub({ world: clock.world, env: { HUB_BACKUP_SECOND_DIR: second } });
    const call = operatorOf(hub);
    const state = async () => (await call("backups")).body.second;
    const overview = async () => (await call("overview", { token: null })).body;
    return { clock, hub, call, state, overview };
  }
  const failing = (reason: string) => async (state: () => Promise<{ failure: { reason: string } | null }>) =>
    (await state()).failure?.reason === reason;

  it("the daily backup is copied to the second folder, and the API reports it [BAK-32] [OP-176]", async () => {
    const second = tempFolder();
    const { clock, hub, call, state, overview } = await start(second);
    await untilMinutesLater(clock, "the copy", async () => (await state()).copies === 1);
    const { body } = await call("backups");
    expect(body).toMatchObject({ secondFolder: second, second: { folder: second, failure: null, work: null } });
    expect(body.second.lastCopyAt).toBe(body.lastGoodAt);
    expect(namesOf(second)).toEqual([body.backups[0].name]);
    expect((await overview()).backups).toEqual({ verifying: false, second: { state: "ok", since: null } });
    const { backup } = (await call("makeBackup")).body;
    await until("the copy of the second", () => namesOf(second)[0] === backup.name);
    expect((await call("testBackupFolders")).body).toMatchObject({
      first: { result: "writable" },
      second: { folder: second, result: "writable", freeBytes: expect.any(Number) },
    });
    await hub.stop();
  });

  it("a missing second folder is reported with its start time over a restart, and filled when it is back [BAK-34] [OP-176]", async () => {
    const second = path.join(tempFolder(), "usb");
    const { clock, hub, call, state, overview } = await start(second);
    await untilMinutesLater(clock, "the failure", () => failing("missing")(state));
    const { since } = (await state()).failure;
    expect((await overview()).backups.second).toEqual({ state: "failing", since });
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "ok", reasons: [] });
    const terminal = await hub.terminal();
    await terminal.change({ ...upsert, posReference: "A" });
    const backup = (await call("makeBackup")).body.backup;
    expect(backup.verified).toBe("good");
    expect((await call("testBackupFolders")).body.second.result).toBe("missing");
    // The hub must not recreate it: that path could be the mount point of a missing disk.
    expect(existsSync(second)).toBe(false);
    await hub.restart();
    await untilMinutesLater(clock, "the failure is known", () => failing("missing")(state));
    expect((await state()).failure.since).toBe(since);

    mkdirSync(second);
    await untilMinutesLater(
      clock,
      "the copies",
      async () => (await state()).failure === null && (await state()).copies > 1,
    );
    expect(namesOf(second)).toContain(backup.name);
    renameSync(second, `${second}-taken-away`);
    // A working folder is checked every ten minutes.
    clock.advance(10 * 60_000);
    await untilMinutesLater(clock, "the second failure", () => failing("missing")(state));
    expect(Date.parse((await state()).failure.since)).toBeGreaterThan(Date.parse(since));
    renameSync(`${second}-taken-away`, second);
    await untilMinutesLater(clock, "it is back", async () => (await state()).failure === null);
    await hub.stop();
  });

  it("a second folder that links to the first, or is a file, is not used [BAK-34]", async () => {
    const place = tempFolder();
    const first = path.join(place, "first");
    mkdirSync(first);
    const second = path.join(place, "second");
    symlinkSync(first, second);
    const clock = manualClock();
    const env = { HUB_BACKUP_DIR: first, HUB_BACKUP_SECOND_DIR: second };
    const hub = await startTestHub({ world: clock.world, env });
    const state = async () => (await operatorOf(hub)("backups")).body.second;
    await untilMinutesLater(clock, "it is refused", () => failing("same_folder")(state));
    await untilMinutesLater(clock, "a backup all the same", () => namesOf(first).length > 0);
    rmSync(second);
    writeFileSync(second, "x");
    await untilMinutesLater(clock, "the file is refused", () => failing("missing")(state));
    await hub.stop();
  });

  it("a full second folder is reported, harms no backup, and is filled once there is space [BAK-34]", async () => {
    const disk = smallDisk(path.join(tempFolder(), "disk"));
    if (disk.isReal) mkdirSync(disk.folder);
    disk.fill();
    const { clock, hub, call, state } = await start(disk.folder);
    await untilMinutesLater(clock, "it says so", () => failing(disk.isReal ? "no_space" : "missing")(state));
    expect((await call("makeBackup")).body.backup.verified).toBe("good");
    expect((await hub.send("GET", "/health")).body.status).toBe("ok");
    expect(disk.isReal ? readdirSync(disk.folder) : []).toEqual([]);
    disk.freeSpace();
    if (!disk.isReal) mkdirSync(disk.folder);
    await untilMinutesLater(clock, "the copies", async () => (await state()).copies >= 1);
    expect((await state()).failure).toBeNull();
    await hub.stop();
  });
});

describe("a backup unknown to the data file ", () => {
  // With a stopped clock the hub makes no daily backup during the test, even on a slow machine.
  const startQuietHub = () => startTestHub({ world: manualClock().world });
  async function restarted(hub: TestHub, whileStopped: () => void) {
    await hub.restart(whileStopped);
    return operatorOf(hub);
  }
  const backupsOf = (hub: TestHub) => path.join(path.dirname(hub.dbPath), "backups");

  it("a backup unknown to the restored data file is verified and counts as good [BAK-30]", async () => {
    const hub = await startQuietHub();
    const call = operatorOf(hub);
    await (await hub.terminal()).change({ ...upsert, posReference: "A" });
    const { backup } = (await call("makeBackup")).body;
    expect((await call("overview")).body.lastBackupAt).toBe(backup.createdAt);
    await call("restoreBackup", { params: { name: backup.name }, body: { confirm: backup.name } });
    // The restored file predates the record that the backup is good.
    await restarted(hub, () => {});
    await until("it counts", async () => (await call("backups")).body.lastGoodAt === backup.createdAt);
    await until("the overview says so", async () => (await call("overview")).body.lastBackupAt === backup.createdAt);
    await until("none is verified", async () => !(await call("overview")).body.backups.verifying);
  });

  it("a damaged backup unknown to the data file is passed over for the next newest [BAK-30]", async () => {
    const hub = await startQuietHub();
    const call = operatorOf(hub);
    await (await hub.terminal()).change({ ...upsert, posReference: "A" });
    const { backup } = (await call("makeBackup")).body;
    const dir = backupsOf(hub);
    const newer = "hub-manual-2036-01-01T00-00-00-000Z.sqlite";
    await restarted(hub, () => {
      copyFileSync(path.join(dir, backup.name), path.join(dir, newer));
      const copy = new Database(path.join(dir, newer));
      copy.exec("UPDATE hub_state SET seq = seq + 1000; UPDATE order_versions SET checksum = checksum + 1");
      copy.close();
    });
    const list = await until("it is judged", async () => {
      const { body } = await call("backups");
      return body.backups[0].verified === "bad" ? body : null;
    });
    expect(list.backups[0].name).toBe(newer);
    expect(list.lastGoodAt).toBe(backup.createdAt);
    expect((await call("overview")).body.lastBackupAt).toBe(backup.createdAt);
  });
});

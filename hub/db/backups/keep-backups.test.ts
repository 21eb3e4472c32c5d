import { truncateSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { tempFolder } from "../../test/support/data/data-files.ts";
import { withDatabase } from "../files/with-database.ts";
import { finishAsync } from "../files/steps.ts";
import { noteLastSeen, readPlace } from "../last-seen.ts";
import { createDataFile } from "../migrate.ts";
import { restoreNow } from "../restore/staged-restore.ts";
import { type BackupFile, listBackups, placeOf } from "./backup-files.ts";
import { backUp, dailiesToRemove } from "./keep-backups.ts";
import { newestGoodBackup, newestVerifiedBackup } from "./verify-backup.ts";

const world = realWorld(pino({ level: "silent" }));

const MB = 1024 * 1024;
const none: ReadonlySet<string> = new Set();

function backup(day: number, kind: BackupFile["kind"] = "daily", bytes = 40 * MB): BackupFile {
  const name = `hub-${kind}-${day}.sqlite`;
  return { name, path: `/b/${name}`, bytes, createdAt: day * 86_400_000, kind, isCompressed: true };
}

/** Adds one daily backup per day and thins them out each time. Returns the days of those kept. */
function retainedDays(days: number, backupBytes: number, dataFileBytes: number): number[] {
  let retained: BackupFile[] = [];
  for (let day = 1; day <= days; day += 1) {
    const all = [backup(day, "daily", backupBytes), ...retained];
    const removed = new Set(dailiesToRemove(all, dataFileBytes, none));
    retained = all.filter((each) => !removed.has(each));
  }
  return retained.map(({ createdAt }) => createdAt / 86_400_000);
}

describe("removal of daily backups", () => {
  it("daily backups beyond the seventh are removed while there is space for seven [DB-7]", () => {
    expect(retainedDays(20, MB, 8 * MB)).toEqual([20, 19, 18, 17, 16, 15, 14]);
    expect(retainedDays(20, 40 * MB, 400 * MB)).toEqual([20, 19, 18, 17, 16, 15, 14]);
  });

  it("daily backups are thinned to a spread over the week while there is space for fewer [BAK-12]", () => {
    for (const days of [20, 21, 22, 23, 24, 25, 26]) {
      const retained = retainedDays(days, 40 * MB, 100 * MB);
      expect(retained, `day ${days}`).toHaveLength(4);
      expect(retained.slice(0, 2)).toEqual([days, days - 1]);
      const oldest = retained.at(-1) ?? 0;
      expect(days - oldest, `day ${days}: ${retained.join()}`).toBeGreaterThanOrEqual(3);
      expect(days - oldest).toBeLessThanOrEqual(8);
    }
  });

  it("the newest two dailies, manual backups and those before a migration are never removed [BAK-12]", () => {
    const all = [backup(9, "manual"), backup(8), backup(7), backup(6), backup(5, "before-migration"), backup(4)];
    expect(dailiesToRemove(all, 33 * MB, none).map(({ name }) => name)).toEqual([
      "hub-daily-6.sqlite",
      "hub-daily-4.sqlite",
    ]);
  });

  it("bad backups are removed once a newer one is good, and no good one for them [BAK-2]", () => {
    const all = [9, 8, 7, 6, 5, 4, 3, 2].map((day) => backup(day, "daily", MB));
    const bad = (...days: number[]) => new Set(days.map((day) => `hub-daily-${day}.sqlite`));
    expect(dailiesToRemove(all, MB, bad(9)).map(({ name }) => name)).toEqual([]);
    expect(dailiesToRemove(all, MB, bad(7)).map(({ name }) => name)).toEqual(["hub-daily-7.sqlite"]);
  });
});

/** Creates a data file that a hub has used, with a backup from each of these days in November. */
async function backedUp(days: readonly number[]) {
  const dbPath = path.join(tempFolder(), "hub.sqlite");
  const backupDir = path.join(path.dirname(dbPath), "backups");
  createDataFile(dbPath, world);
  setSeq(dbPath, 1_000);
  for (const day of days) await makeOn(day, dbPath, backupDir);
  return {
    dbPath,
    backupDir,
    days: () => listBackups(backupDir).map(({ createdAt }) => new Date(createdAt).getUTCDate()),
  };
}

/** Leaves the file as a hub that used it would. */
function setSeq(file: string, seq: number): void {
  const db = new Database(file);
  db.prepare("UPDATE hub_state SET file_name = ?, seq = ?").run(path.basename(file), seq);
  db.close();
}

function makeOn(day: number, file: string, dir: string) {
  return finishAsync(backUp({ file, dir, kind: "daily", at: Date.UTC(2026, 10, day, 8), bad: [] }));
}

describe("backups of a history", () => {
  it("backups of a history begun with an empty file are newer than all earlier ones [DB-24]", async () => {
    const { dbPath, backupDir, days } = await backedUp([1, 2, 3, 4, 5, 6, 7]);
    restoreNow({ dbPath, backupDir }, null, "manager", world);
    setSeq(dbPath, 5);
    await makeOn(8, dbPath, backupDir);
    expect(days()).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it("backups of a history begun with a foreign backup are newer than that backup [DB-24]", async () => {
    const [elsewhere, current] = [path.join(tempFolder(), "backup.sqlite"), path.join(tempFolder(), "hub.sqlite")];
    createDataFile(elsewhere, world, 2);
    restoreNow(
      { dbPath: current, backupDir: path.join(path.dirname(current), "backups") },
      elsewhere,
      "manager",
      world,
    );
    expect(placeOf(current)?.generation).toBe(3);
  });

  it("backups of another data file in the same folder are left alone [DB-7]", async () => {
    const { dbPath, backupDir, days } = await backedUp([1, 2, 3, 4, 5, 6, 7]);
    const other = path.join(path.dirname(dbPath), "other.sqlite");
    createDataFile(other, world);
    setSeq(other, 5);
    await makeOn(8, other, backupDir);
    expect(days()).toEqual([7, 6, 5, 4, 3, 2, 1, 8]);
  });

  it("backups of another hub whose data file has the same name are left alone [DB-7]", async () => {
    const { dbPath, backupDir, days } = await backedUp([1, 2, 3, 4, 5, 6, 7]);
    const other = path.join(tempFolder(), "hub.sqlite");
    createDataFile(other, world);
    setSeq(other, 5);
    await makeOn(8, other, backupDir);
    expect(days()).toEqual([7, 6, 5, 4, 3, 2, 1, 8]);
    await makeOn(9, dbPath, backupDir);
    expect(days()).toEqual([9, 7, 6, 5, 4, 3, 2, 8]);
    noteLastSeen(other, withDatabase(other, {}, readPlace));
    expect(newestGoodBackup(backupDir, other)).toContain("2026-11-08");
    expect(newestVerifiedBackup(backupDir, other)).toContain("2026-11-08");
  });

  it("a hub compresses only its own backups where several hubs use the folder [BAK-10, BAK-35]", async () => {
    const { dbPath, backupDir } = await backedUp([1]);
    const other = path.join(tempFolder(), "hub.sqlite");
    createDataFile(other, world);
    setSeq(other, 5);
    await makeOn(2, other, backupDir);
    for (const { path: large } of listBackups(backupDir)) truncateSync(large, 33 * MB);
    await makeOn(3, dbPath, backupDir);
    const compressed = listBackups(backupDir).filter(({ isCompressed }) => isCompressed);
    expect(compressed.map(({ createdAt }) => new Date(createdAt).getUTCDate())).toEqual([1]);
  });

  it("backups are named after their own data file, whatever else is in the folder [DB-4]", async () => {
    const { dbPath, backupDir } = await backedUp([1, 2]);
    const other = path.join(path.dirname(dbPath), "other.sqlite");
    createDataFile(other, world);
    setSeq(other, 5);
    expect(newestGoodBackup(backupDir, other)).toContain("2026-11-02");
    const { path: made } = await makeOn(8, other, backupDir);
    expect(newestGoodBackup(backupDir, other)).toBe(made);
    expect(newestVerifiedBackup(backupDir, other)).toBe(made);
    expect(newestGoodBackup(backupDir, dbPath)).toContain("2026-11-02");
  });
});

import { describe, expect, it } from "vitest";
import type { BackupFile } from "./backup-files.ts";
import { dailiesToRemove } from "./keep-backups.ts";

const MB = 1024 * 1024;
const none: ReadonlySet<string> = new Set();

function backup(day: number, kind: BackupFile["kind"] = "daily", bytes = 40 * MB): BackupFile {
  const name = `hub-${kind}-${day}.sqlite`;
  return { name, path: `/b/${name}`, bytes, createdAt: day * 86_400_000, kind, isCompressed: true };
}

/** Days of the dailies that are left after each of many days on which one more was made. */
function daysKept(days: number, backupBytes: number, dataFileBytes: number): number[] {
  let kept: BackupFile[] = [];
  for (let day = 1; day <= days; day += 1) {
    const all = [backup(day, "daily", backupBytes), ...kept];
    const removed = new Set(dailiesToRemove(all, dataFileBytes, none));
    kept = all.filter((each) => !removed.has(each));
  }
  return kept.map(({ createdAt }) => createdAt / 86_400_000);
}

describe("which daily backups are removed", () => {
  it("[DB-7] those beyond the seventh, while there is space for seven", () => {
    expect(daysKept(20, MB, 8 * MB)).toEqual([20, 19, 18, 17, 16, 15, 14]);
    expect(daysKept(20, 40 * MB, 400 * MB)).toEqual([20, 19, 18, 17, 16, 15, 14]);
  });

  it("[BAK-12] all but a spread over the week, while there is space for fewer", () => {
    for (const days of [20, 21, 22, 23, 24, 25, 26]) {
      const kept = daysKept(days, 40 * MB, 100 * MB);
      expect(kept, `day ${days}`).toHaveLength(4);
      expect(kept.slice(0, 2)).toEqual([days, days - 1]);
      const oldest = kept.at(-1) ?? 0;
      expect(days - oldest, `day ${days}: ${kept.join()}`).toBeGreaterThanOrEqual(3);
      expect(days - oldest).toBeLessThanOrEqual(8);
    }
  });

  it("[BAK-12] never the newest two, and none that was made by hand or before a migration", () => {
    const all = [backup(9, "manual"), backup(8), backup(7), backup(6), backup(5, "before-migration"), backup(4)];
    expect(dailiesToRemove(all, 33 * MB, none).map(({ name }) => name)).toEqual([
      "hub-daily-6.sqlite",
      "hub-daily-4.sqlite",
    ]);
  });

  it("[BAK-2] bad ones once a newer one is good, and no good one for them", () => {
    const all = [9, 8, 7, 6, 5, 4, 3, 2].map((day) => backup(day, "daily", MB));
    const bad = (...days: number[]) => new Set(days.map((day) => `hub-daily-${day}.sqlite`));
    expect(dailiesToRemove(all, MB, bad(9)).map(({ name }) => name)).toEqual([]);
    expect(dailiesToRemove(all, MB, bad(7)).map(({ name }) => name)).toEqual(["hub-daily-7.sqlite"]);
  });
});

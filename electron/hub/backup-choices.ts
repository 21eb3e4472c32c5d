import { statSync } from "node:fs";
import path from "node:path";
import { type BackupFile, listBackups, placeOf, timeOfBackup } from "@comanda/hub/db/backups/backup-files.ts";
import { readLastSeen } from "@comanda/hub/db/last-seen.ts";
import { newestGoodBackup } from "@comanda/hub/db/backups/verify-backup.ts";
import type { HubConfig } from "@comanda/hub/settings/config.ts";
import type { DesktopBackup, DesktopBackups } from "@comanda/protocol";

/**
 * Keeps track of the backups that the built-in page offers while no hub runs. A page can restore only a backup offered to it,
 * and cannot name any other file on this machine.
 */
export function createBackupChoices(config: () => Pick<HubConfig, "dbPath" | "backupDir">) {
  const offered = new Set<string>();

  function present({ path: file, createdAt, bytes, kind }: Offer): DesktopBackup {
    offered.add(file);
    return {
      path: file,
      madeAt: new Date(createdAt).toISOString(),
      bytes,
      kind: kind === "before-migration" ? "migration" : kind,
      changesAfter: changesAfter(file, config().dbPath),
    };
  }

  return {
    /** Lists backups in the hub's own backup folder. */
    list(): DesktopBackups {
      const { backupDir, dbPath } = config();
      return { backups: listBackups(backupDir).map(present), newestGood: newestGoodBackup(backupDir, dbPath) };
    },

    /** Lists backups in a folder, or in the `backups` folder of a data folder. */
    listInFolder(folder: string): DesktopBackup[] {
      const found = [folder, path.join(folder, "backups")].map((each) => listBackups(each));
      return (found.find((backups) => backups.length > 0) ?? []).map(present);
    },

    /** Offers one file of any name. Whether it is a backup is checked when it is restored. */
    describeFile(file: string): DesktopBackup {
      const { size, mtimeMs } = statSync(file);
      const createdAt = timeOfBackup(path.basename(file)) ?? mtimeMs;
      return present({ path: file, createdAt, bytes: size, kind: "other" });
    },

    /** Allows a backup found in another way to be restored. */
    offer: (file: string): void => void offered.add(file),
    isOffered: (file: string): boolean => offered.has(file),
  };
}

type Offer = Pick<BackupFile, "path" | "createdAt" | "bytes"> & { kind: BackupFile["kind"] | "other" };

/** Counts the changes after a backup, from the position that the hub keeps beside its data file; null if unknown. */
function changesAfter(backup: string, dbPath: string): number | null {
  const seen = readLastSeen(dbPath);
  const place = placeOf(backup);
  if (seen === null || place === null) return null;
  // Changes of another hub do not count as missing.
  if (place.hubId !== seen.hubId || place.generation !== seen.generation) return null;
  return Math.max(0, seen.seq - place.seq);
}

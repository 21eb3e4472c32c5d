import type { Tx } from "../changes/change.ts";
import { type BackupFile, type ListedBackups, timeOfBackup } from "../db/backups/backup-files.ts";
import type { Memory } from "../db/remembered.ts";

export interface Check {
  ok: boolean;
  /** Whether the backup is of this data file. Managers may also check others in the folder. */
  isOwn: boolean;
}

const MEMORY = "backupChecks";

export type BackupChecks = ReturnType<typeof createBackupChecks>;

/** Remembers across restarts which backups are good or bad. */
export function createBackupChecks(memory: Memory) {
  /** Newest first; null before the first listing. */
  let lastListed: ListedBackups | null = null;

  function checks(): Record<string, Check> {
    return memory.read<Record<string, Check>>(MEMORY)?.value ?? {};
  }

  return {
    /** Sets the listed backups. Results of all are kept, but only `own` are this hub's backups. */
    listed(found: ListedBackups): void {
      lastListed = found;
    },
    get: (name: string): Check | null => checks()[name] ?? null,
    isBad: (name: string): boolean => checks()[name]?.ok === false,
    bad: (): string[] => Object.entries(checks()).flatMap(([name, { ok }]) => (ok ? [] : [name])),
    /** Returns the newest own backup not known to be bad and not in `unreadable`, unless it is already known to be good. */
    newestUnknown(unreadable: ReadonlySet<string>): BackupFile | undefined {
      const results = checks();
      const next = lastListed?.own.find(({ name }) => results[name]?.ok !== false && !unreadable.has(name));
      return next === undefined || results[next.name]?.ok === true ? undefined : next;
    },
    /** Returns when the newest verified good backup was made, ms since 1970. */
    lastGoodAt(): number | null {
      const results = checks();
      if (lastListed !== null) return lastListed.own.find(({ name }) => results[name]?.ok === true)?.createdAt ?? null;
      const good = Object.entries(results).flatMap(([name, { ok, isOwn }]) => {
        return ok && isOwn ? (timeOfBackup(name) ?? []) : [];
      });
      return good.length === 0 ? null : Math.max(...good);
    },
    /** Stores a result. Drops results of backups that are gone. */
    remember(tx: Tx, { name, ok }: { name: string; ok: boolean }): void {
      const listed = new Set(lastListed?.all.map((each) => each.name));
      const remembered = Object.entries(checks()).filter(([each]) => listed.has(each));
      const check: Check = { ok, isOwn: lastListed?.own.some((each) => each.name === name) === true };
      memory.write(MEMORY, { ...Object.fromEntries(remembered), [name]: check }, tx.now);
    },
  };
}

import type { Tx } from "../changes/change.ts";
import { type BackupFile, type ListedBackups, timeOfBackup } from "../db/backups/backup-files.ts";
import type { Memory } from "../db/remembered.ts";

export interface Check {
  ok: boolean;
  /** Ms since 1970. */
  at: number;
  /** It is of this data file: others may lie in the folder, and be checked by a manager. */
  isOwn: boolean;
}

const MEMORY = "backupChecks";

export type BackupChecks = ReturnType<typeof createBackupChecks>;

/** Which backups are known to be good or bad, across restarts. */
export function createBackupChecks(memory: Memory) {
  /** Newest first; null before they were first listed. */
  let lastListed: ListedBackups | null = null;

  function checks(): Record<string, Check> {
    return memory.read<Record<string, Check>>(MEMORY)?.value ?? {};
  }

  return {
    /** The backups that there are. What is known of all of them is kept; only the own ones are this hub's backups. */
    listed(found: ListedBackups): void {
      lastListed = found;
    },
    of: (name: string): Check | null => checks()[name] ?? null,
    isBad: (name: string): boolean => checks()[name]?.ok === false,
    bad: (): string[] => Object.entries(checks()).flatMap(([name, { ok }]) => (ok ? [] : [name])),
    /** The newest backup that may be good, unless that is known; those of `givenUp` are left out. */
    newestUnknown(givenUp: ReadonlySet<string>): BackupFile | undefined {
      const known = checks();
      const next = lastListed?.own.find(({ name }) => known[name]?.ok !== false && !givenUp.has(name));
      return next === undefined || known[next.name]?.ok === true ? undefined : next;
    },
    /** When the newest backup was made that was verified and is good, ms since 1970. */
    lastGoodAt(): number | null {
      const known = checks();
      if (lastListed !== null) return lastListed.own.find(({ name }) => known[name]?.ok === true)?.createdAt ?? null;
      const good = Object.entries(known).flatMap(([name, { ok, isOwn }]) => {
        return ok && isOwn ? (timeOfBackup(name) ?? []) : [];
      });
      return good.length === 0 ? null : Math.max(...good);
    },
    /** Forgets at once what is known of backups that are gone. */
    remember(tx: Tx, { name, ok }: { name: string; ok: boolean }): void {
      const kept = new Set(lastListed?.all.map((each) => each.name));
      const known = Object.entries(checks()).filter(([each]) => kept.has(each));
      const check: Check = { ok, at: tx.now, isOwn: lastListed?.own.some((each) => each.name === name) === true };
      memory.write(MEMORY, { ...Object.fromEntries(known), [name]: check }, tx.now);
    },
  };
}

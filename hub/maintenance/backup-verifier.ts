import type { BackupFile } from "../db/backups/backup-files.ts";
import { JobCancelled } from "../jobs/jobs.ts";
import type { World } from "../platform/world.ts";
import type { BackupChecks } from "./backup-checks.ts";

/**
 * Verifies backups with unknown results: made from the command line, before a restore, or by a hub that stopped right
 * afterwards. A verified backup counts at once. Stops at the newest good one.
 */
export function createBackupVerifier({
  log,
  checks,
  isHeldUp,
  verify,
}: {
  log: World["log"];
  checks: Pick<BackupChecks, "newestUnknown">;
  isHeldUp: () => boolean;
  /** Stores the result. */
  verify: (backup: BackupFile) => Promise<unknown>;
}) {
  /** Backups that could not be read, for example for lack of space. Not retried until the next start. */
  const unreadable = new Set<string>();
  let running: Promise<void> | null = null;

  function next(): BackupFile | undefined {
    return isHeldUp() ? undefined : checks.newestUnknown(unreadable);
  }

  async function verifyAll(): Promise<void> {
    for (let backup = next(); backup !== undefined; backup = next()) {
      try {
        await verify(backup);
      } catch (error) {
        unreadable.add(backup.name);
        throw error;
      }
    }
  }

  return {
    begin(): void {
      running ??= verifyAll()
        .catch((error: unknown) => {
          if (!(error instanceof JobCancelled)) log.warn({ err: error }, "backups could not be verified");
        })
        .finally(() => {
          running = null;
        });
    },
    settled: async (): Promise<void> => running ?? undefined,
  };
}

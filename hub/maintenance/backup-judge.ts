import type { BackupFile } from "../db/backups/backup-files.ts";
import { JobCancelled } from "../jobs/jobs.ts";
import type { World } from "../platform/world.ts";
import type { BackupChecks } from "./backup-checks.ts";

/**
 * Verifies backups with unknown results: made from the command line, before a restore, or by a hub that stopped right
 * afterwards. A verified backup counts at once. Stops at the newest good one.
 */
export function createBackupJudge({
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
  const givenUp = new Set<string>();
  let judging: Promise<void> | null = null;

  function next(): BackupFile | undefined {
    return isHeldUp() ? undefined : checks.newestUnknown(givenUp);
  }

  async function judge(): Promise<void> {
    for (let backup = next(); backup !== undefined; backup = next()) {
      try {
        await verify(backup);
      } catch (error) {
        givenUp.add(backup.name);
        throw error;
      }
    }
  }

  return {
    begin(): void {
      judging ??= judge()
        .catch((error: unknown) => {
          if (!(error instanceof JobCancelled)) log.warn({ err: error }, "backups could not be verified");
        })
        .finally(() => {
          judging = null;
        });
    },
    settled: async (): Promise<void> => judging ?? undefined,
  };
}

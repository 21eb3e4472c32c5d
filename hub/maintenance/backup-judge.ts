import type { BackupFile } from "../db/backups/backup-files.ts";
import { JobCancelled } from "../jobs/jobs.ts";
import type { World } from "../platform/world.ts";
import type { BackupChecks } from "./backup-checks.ts";

/**
 * Verifies backups that this data file knows nothing about: one from the command line, from before a restore, or from a hub
 * that was stopped right after making it. It counts as soon as it is verified. Older ones than the newest good one can wait.
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
  /** Remembers what it finds. */
  verify: (backup: BackupFile) => Promise<unknown>;
}) {
  /** Those that could not be read at all, for example for lack of space: not tried again by this hub. */
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

import type { BackupWork } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import type { World } from "../platform/world.ts";

/** Interval of progress reports to the screens. */
const NOTIFY_EVERY_MS = 1_000;

/** Tracks the backups being made or verified, for the screens. */
export function createBackupProgress(world: World, changes: ChangeLog) {
  const work = new Set<BackupWork>();
  let notifiedAt = -Infinity;

  /** Shows a job's progress on the screens until it ends. */
  async function show<T>(
    first: BackupWork,
    run: (report: (step: Partial<BackupWork>) => void) => Promise<T>,
  ): Promise<T> {
    const current = { ...first };
    work.add(current);
    notify();
    try {
      return await run((step) => {
        Object.assign(current, step);
        if (world.clock.monotonic() - notifiedAt >= NOTIFY_EVERY_MS) notify();
      });
    } finally {
      work.delete(current);
      notify();
    }
  }

  function notify(): void {
    notifiedAt = world.clock.monotonic();
    notifyScreens(changes, world, { topics: ["backups"] });
  }

  return {
    show,
    work: (): BackupWork[] => [...work],
    /** Whether a backup is being made or verified. */
    isVerifying: (): boolean => [...work].some(({ step }) => step !== "compressing"),
  };
}

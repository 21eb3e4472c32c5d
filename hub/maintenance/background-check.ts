import { logEvent } from "../platform/log-event.ts";
import { type DataFile, DAY_MS } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import type { DataFileWatch } from "../db/integrity/data-file-watch.ts";
import { JobCancelled, type Jobs } from "../jobs/jobs.ts";
import { isoTime, type World } from "../platform/world.ts";
import { checkDataFileJob } from "./backup-jobs.ts";

export type BackgroundCheck = ReturnType<typeof createBackgroundCheck>;

/** By then a start, or a failure of the disk, is over. */
const AFTER_MS = 5_000;
/** How often the screens are sent the progress of a check. */
const NOTIFY_EVERY_MS = 1_000;

/**
 * Checks the whole data file in a worker thread: after each start, which itself checks only what it must, daily, after
 * damage was met, and when a manager asks. What it finds is reported as a problem; a sound file clears such problems.
 */
export function createBackgroundCheck(deps: {
  world: World;
  jobs: Jobs;
  changes: ChangeLog;
  watch: DataFileWatch;
  file: string;
  /** The start has left SQLite's check of the structure, which an unclean end asks for, to the first check here. */
  isStructureUnchecked: boolean;
  /** Called when rows turn out to be damaged. */
  settleDamage(): Promise<void>;
}) {
  const { world, jobs, changes, watch, file } = deps;
  let { isStructureUnchecked } = deps;
  let last: DataFile["check"] = null;
  let running: { promise: Promise<void>; progress: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function check(onProgress: (progress: number) => void): Promise<void> {
    const startedAt = world.clock.monotonic();
    // After damage was met, SQLite's own check of the whole structure comes first.
    const structure = isStructureUnchecked || watch.problems().some(({ kind }) => kind === "corrupt");
    const found = await jobs.run(checkDataFileJob, { file, structure }, { onChunk: onProgress });
    const { ok, isBroken, detail } = found;
    isStructureUnchecked = false;
    last = { at: isoTime(world.clock.now()), ok, message: detail };
    if (ok) watch.clearDamage();
    else watch.report(isBroken ? "corrupt" : "damaged_records", detail);
    if (!ok && !isBroken) await deps.settleDamage();
    world.log.info(
      logEvent("data_file_checked", { ok, detail, ms: Math.round(world.clock.monotonic() - startedAt) }),
      "data file checked",
    );
  }

  function run(): Promise<void> {
    if (running !== null) return running.promise;
    let notifiedAt = world.clock.monotonic();
    const promise = check((progress) => {
      if (running !== null) running.progress = progress;
      if (world.clock.monotonic() - notifiedAt < NOTIFY_EVERY_MS) return;
      notifiedAt = world.clock.monotonic();
      notify();
    }).finally(() => {
      running = null;
      notify();
    });
    running = { promise, progress: 0 };
    return promise;
  }

  function notify(): void {
    notifyScreens(changes, world, { topics: ["data_file"] });
  }

  function runIn(ms: number): void {
    world.timers.clearTimeout(timer);
    timer = world.timers.setTimeout(() => {
      runIn(DAY_MS);
      run().catch((error: unknown) => {
        if (!(error instanceof JobCancelled)) world.log.error({ err: error }, "the data file could not be checked");
      });
    }, ms);
  }
  // To SQLite a disk that fails for a moment looks like damage: a second look distinguishes the two.
  watch.onProblem(({ kind }) => {
    if (kind === "corrupt") runIn(AFTER_MS);
  });

  return {
    start: (): void => runIn(AFTER_MS),
    /** No check begins after this; one under way ends with the jobs. */
    stop: (): void => world.timers.clearTimeout(timer),
    /** Checks now and resolves when it is done; a check under way is shared. */
    runNow: run,
    last: (): DataFile["check"] => last,
    /** How much of the file the check under way has read, from 0 to 1; null when there is none. */
    progress: (): number | null => running?.progress ?? null,
  };
}

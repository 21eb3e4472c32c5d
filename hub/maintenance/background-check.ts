import { logEvent } from "../platform/log-event.ts";
import { type DataFile, DAY_MS } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import type { DataFileWatch } from "../db/integrity/data-file-watch.ts";
import { JobCancelled, type Jobs } from "../jobs/jobs.ts";
import { isoTime, type World } from "../platform/world.ts";
import { checkDataFileJob } from "./backup-jobs.ts";

export type BackgroundCheck = ReturnType<typeof createBackgroundCheck>;

/** By then, the start or the disk failure is over. */
const AFTER_MS = 5_000;
/** Interval of progress reports to the screens. */
const NOTIFY_EVERY_MS = 1_000;

/**
 * Checks the whole data file in a worker thread: after each start, daily, after damage was found and on a manager's request.
 * Damage is reported as a problem; a sound file clears such problems.
 */
export function createBackgroundCheck(deps: {
  world: World;
  jobs: Jobs;
  changes: ChangeLog;
  watch: DataFileWatch;
  file: string;
  /** Whether the start left the structure check, needed after an unclean end, to the first check here. */
  isStructureUnchecked: boolean;
  /** Called when damaged rows are found. */
  settleDamage(): Promise<void>;
}) {
  const { world, jobs, changes, watch, file } = deps;
  let { isStructureUnchecked } = deps;
  let last: DataFile["check"] = null;
  let running: { promise: Promise<void>; progress: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function check(onProgress: (progress: number) => void): Promise<void> {
    const startedAt = world.clock.monotonic();
    // After damage was found, SQLite's own structure check runs first.
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
  // SQLite reports a brief disk failure as damage. A second check distinguishes the two.
  watch.onProblem(({ kind }) => {
    if (kind === "corrupt") runIn(AFTER_MS);
  });

  return {
    start: (): void => runIn(AFTER_MS),
    /** Prevents further checks. The `jobs` end a check in progress. */
    stop: (): void => world.timers.clearTimeout(timer),
    /** Checks now and resolves when done. Callers share a check in progress. */
    runNow: run,
    last: (): DataFile["check"] => last,
    /** Progress of the current check from 0 to 1, or null. */
    progress: (): number | null => running?.progress ?? null,
  };
}

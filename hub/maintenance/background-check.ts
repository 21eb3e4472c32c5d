import type { DataFile } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { DataFileWatch } from "../db/data-file-watch.ts";
import { JobCancelled, type Jobs } from "../jobs/jobs.ts";
import { isoTime, type World } from "../platform/world.ts";

export type BackgroundCheck = ReturnType<typeof createBackgroundCheck>;

/** By then a start, or a failure of the disk, has come to rest. */
const AFTER_MS = 5_000;
const DAY_MS = 86_400_000;
/** How often the screens hear how far a check is. */
const TELL_MS = 1_000;

/**
 * Has the whole data file checked beside the service: after each start, since a start itself checks only what it must, daily,
 * after damage was met, and on a manager's word. What it finds wrong becomes a doubt; a sound file takes such doubts away.
 */
export function createBackgroundCheck(deps: {
  world: World;
  jobs: Jobs;
  changes: ChangeLog;
  watch: DataFileWatch;
  file: string;
  /** The start has left SQLite's check of the structure, which an unclean end asks for, to the first check here. */
  isStructureUnchecked: boolean;
}) {
  const { world, jobs, changes, watch, file } = deps;
  let { isStructureUnchecked } = deps;
  let last: DataFile["check"] = null;
  let running: { promise: Promise<void>; progress: number } | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function check(onProgress: (progress: number) => void): Promise<void> {
    const startedAt = world.clock.monotonic();
    // After damage was met nothing less than SQLite's own check of the whole structure will do.
    const structure = isStructureUnchecked || watch.doubts().some(({ kind }) => kind === "corrupt");
    const found = await jobs.run("checkDataFile", { file, structure }, { onChunk: onProgress });
    const { ok, isBroken, detail } = found;
    isStructureUnchecked = false;
    last = { at: isoTime(world.clock.now()), ok, message: detail };
    if (ok) watch.foundSound();
    else watch.doubt(isBroken ? "corrupt" : "damaged_records", detail);
    world.log.info({ ok, detail, ms: Math.round(world.clock.monotonic() - startedAt) }, "data file checked");
  }

  function run(): Promise<void> {
    if (running !== null) return running.promise;
    let toldAt = world.clock.monotonic();
    const promise = check((progress) => {
      if (running !== null) running.progress = progress;
      if (world.clock.monotonic() - toldAt < TELL_MS) return;
      toldAt = world.clock.monotonic();
      tellScreens();
    }).finally(() => {
      running = null;
      tellScreens();
    });
    running = { promise, progress: 0 };
    return promise;
  }

  function tellScreens(): void {
    changes
      .write((tx) => tx.emit({ kind: "notice", notice: { topics: ["data_file"] } }))
      .catch((error: unknown) => world.log.debug({ err: error }, "the screens could not be told of a check"));
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
  // A disk that fails for a moment looks like damage to SQLite: a second look tells the two apart.
  watch.onDoubt(({ kind }) => {
    if (kind === "corrupt") runIn(AFTER_MS);
  });

  return {
    start: (): void => runIn(AFTER_MS),
    /** No check begins from here on; one under way ends with the jobs. */
    stop: (): void => world.timers.clearTimeout(timer),
    /** Checks now and resolves when it is done; a check under way is shared. */
    runNow: run,
    last: (): DataFile["check"] => last,
    /** How much of the file the check under way has read, from 0 to 1; null when there is none. */
    progress: (): number | null => running?.progress ?? null,
  };
}

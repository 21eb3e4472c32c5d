import type { DataFile } from "@comanda/protocol";
import type { ChangeLog } from "./changes/change-log.ts";
import { checkInSlices, checkStructure } from "./db/check.ts";
import type { DataFileWatch } from "./db/data-file-watch.ts";
import type { Db } from "./db/open.ts";
import { isoTime, type World } from "./world.ts";

export type BackgroundCheck = ReturnType<typeof createBackgroundCheck>;

/** By then a start, or a failure of the disk, has come to rest. */
const AFTER_MS = 5_000;
/** Between two slices, so that the service hardly notices. */
const PAUSE_MS = 40;
const DAY_MS = 86_400_000;

/**
 * Checks the whole data file beside the service: after each start, since a start itself checks only what it must, daily, after
 * damage was met, and on a manager's word. What it finds wrong becomes a doubt; a sound file takes such doubts away.
 */
export function createBackgroundCheck(deps: { world: World; db: Db; changes: ChangeLog; watch: DataFileWatch }) {
  const { world, db, changes, watch } = deps;
  let last: DataFile["check"] = null;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const stopping = Promise.withResolvers<never>();
  // A stop between two checks is nobody's failure.
  stopping.promise.catch(() => undefined);

  async function check(pauseMs: number): Promise<void> {
    const startedAt = world.clock.monotonic();
    // After damage was met nothing less than SQLite's own check of the whole structure will do, although it blocks.
    const structure = watch.doubts().some(({ kind }) => kind === "corrupt") ? checkStructure(db) : null;
    const found =
      structure?.ok === false
        ? structure
        : await checkInSlices(db, async () => {
            const pause = new Promise<void>((resolve) => {
              if (pauseMs === 0) world.timers.setImmediate(resolve);
              else world.timers.setTimeout(resolve, pauseMs);
            });
            await Promise.race([pause, stopping.promise]);
            await changes.settled();
          });
    const { ok, isBroken, detail } = found;
    last = { at: isoTime(world.clock.now()), ok, message: detail };
    if (ok) watch.foundSound();
    else watch.doubt(isBroken ? "corrupt" : "damaged_records", detail);
    world.log.info({ ok, detail, ms: Math.round(world.clock.monotonic() - startedAt) }, "data file checked");
  }

  function run(pauseMs: number): Promise<void> {
    running ??= check(pauseMs).finally(() => {
      running = null;
    });
    return running;
  }

  function runIn(ms: number): void {
    world.timers.clearTimeout(timer);
    timer = world.timers.setTimeout(() => {
      runIn(DAY_MS);
      run(PAUSE_MS).catch((error: unknown) => {
        if (!(error instanceof Stopped)) world.log.error({ err: error }, "the data file could not be checked");
      });
    }, ms);
  }
  // A disk that fails for a moment looks like damage to SQLite: a second look tells the two apart.
  watch.onDoubt(({ kind }) => {
    if (kind === "corrupt") runIn(AFTER_MS);
  });

  return {
    start: (): void => runIn(AFTER_MS),
    async stop(): Promise<void> {
      stopping.reject(new Stopped());
      world.timers.clearTimeout(timer);
      await running?.catch(() => undefined);
    },
    /** Checks now and resolves when it is done; a check under way is shared. */
    runNow: (): Promise<void> => run(0),
    last: (): DataFile["check"] => last,
  };
}

class Stopped extends Error {}

import { DAY_MS } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import type { Db } from "../db/open.ts";
import type { Memory } from "../db/remembered.ts";
import type { TicketStore } from "../kitchen/ticket-store.ts";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { createCounterHistory } from "./counter-history.ts";
import { createFreePages } from "./free-pages.ts";
import { retentionCutoffs } from "./cutoffs.ts";
import { createTidying, type TidyAction } from "./tidy.ts";

/** By then, the start is over. */
const AFTER_MS = 10_000;
/** Limits of one transaction; the time limit applies on slow machines. */
const STEPS_PER_SLICE = 20;
const SLICE_MS = 6;
/** Pause between two slices, at least four times as long as the slice: the machine is free four fifths of the time. */
const PAUSE_MS = 50;
const PAUSE_SHARE = 4;

/**
 * Packs the versions of finished orders, thins and removes old data, and frees disk pages, in small slices. Runs soon after the
 * start, daily and when the clock becomes trusted again. Does nothing while the clock is not trusted.
 */
export function createRetention(deps: {
  world: World;
  time: TrustedTime;
  db: Db;
  changes: ChangeLog;
  tickets: Pick<TicketStore, "clearCache">;
  memory: Memory;
  days: HubConfig["retention"];
  /** A connected terminal is not removed, however long ago it signed in. */
  isConnected: (terminalId: string) => boolean;
}) {
  const { world, time, db, changes, memory, days } = deps;
  const history = createCounterHistory(db, memory);
  const tidy = createTidying(db, deps.isConnected);
  const freePages = createFreePages(db);
  const loop = createLoop(world, "retention", DAY_MS, run);
  let isStopping = false;
  let startTimer: NodeJS.Timeout | undefined;
  let endPause = (): void => undefined;

  time.onCorrected((byMs, since) => {
    void writeOrLog(deps, "the history of counters could not be corrected", () =>
      history.correct(byMs, since, time.now()),
    );
  });

  async function run(): Promise<void> {
    if (!time.isConfirmed()) {
      world.log.debug("nothing is packed, thinned or removed by a clock that cannot be trusted");
      return;
    }
    const now = time.now();
    const cutoffs = await changes.write(() => {
      history.note(now, now - days.retentionDays * DAY_MS);
      return retentionCutoffs(now, days, history.at);
    });
    const counts = new Map<TidyAction, number>();
    const steps = tidy(cutoffs);
    await inSlices(() => {
      const step = steps.next();
      if (step.done !== true) counts.set(step.value, (counts.get(step.value) ?? 0) + 1);
      return step.done !== true;
    });
    await inSlices(freePages.giveBackSome);
    counts.delete("kept");
    const level = counts.size > 0 ? "info" : "debug";
    world.log[level](Object.fromEntries(counts), "what is old was packed, thinned and removed");
  }

  /** Takes steps until one returns false, the clock is no longer trusted or the hub stops. */
  async function inSlices(step: () => boolean): Promise<void> {
    for (let isMore = true; isMore && !isStopping && time.isConfirmed();) {
      const startedAt = world.clock.monotonic();
      isMore = await changes.write(() => {
        deps.tickets.clearCache();
        for (let n = 0; n < STEPS_PER_SLICE; n += 1) {
          if (!step()) return false;
          if (world.clock.monotonic() - startedAt >= SLICE_MS) break;
        }
        return true;
      });
      if (isMore) await pause(Math.max(PAUSE_MS, PAUSE_SHARE * (world.clock.monotonic() - startedAt)));
    }
  }

  function pause(ms: number): Promise<void> {
    if (isStopping) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = world.timers.setTimeout(resolve, ms);
      endPause = () => {
        world.timers.clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    start: (): void => void (startTimer = world.timers.setTimeout(loop.start, AFTER_MS)),
    wake: loop.wake,
    async stop(): Promise<void> {
      isStopping = true;
      world.timers.clearTimeout(startTimer);
      endPause();
      await loop.stop();
    },
  };
}

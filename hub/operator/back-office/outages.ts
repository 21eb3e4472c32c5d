import type { Outage } from "@comanda/protocol";
import type { Reachability } from "../../back-office/reachability.ts";
import { writeOrLog } from "../../changes/write-or-log.ts";
import { asLastRead } from "../../db/rows/as-last-read.ts";
import { isoTime, isoTimeOrNull, type World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";

interface Span {
  from: number;
  until: number;
  /** Id of the newest forward event at its end. */
  newest: number;
  saved: number;
  arrivedAt: number | null;
}

/** Times are ms since 1970. */
interface Remembered {
  downSince: number | null;
  last: Span | null;
}

export type Outages = ReturnType<typeof createOutages>;

const MEMORY = "outage";

/**
 * Tracks the current and the last outage of the back-office, and the paid orders that queued up until all have arrived. An
 * outage that begins before that continues the last one. Outages survive a restart of the hub, because a power cut takes down
 * both the line and the PC.
 */
export function createOutages(
  deps: Pick<Stores, "changes" | "memory" | "events"> & {
    world: World;
    reachability: Pick<Reachability, "onChange">;
  },
) {
  const { world, memory, reachability, events } = deps;
  let { downSince, last } = memory.read<Remembered>(MEMORY)?.value ?? { downSince: null, last: null };
  let pending = asLastRead(() => events.countPendingUpTo(last?.newest ?? 0), 0);

  function remember(): void {
    const remembered: Remembered = { downSince, last };
    void writeOrLog(deps, "an outage of the line could not be noted", () =>
      memory.write(MEMORY, remembered, world.clock.now()),
    );
  }

  /** Returns how many orders still wait. Records the time when none are left. */
  function settle(span: Span): number {
    if (span.arrivedAt !== null) return 0;
    const waiting = pending();
    if (waiting > 0) return waiting;
    span.arrivedAt = world.clock.now();
    remember();
    return 0;
  }

  function begin(): void {
    downSince ??= last !== null && settle(last) > 0 ? last.from : world.clock.now();
    remember();
  }

  function end(from: number): void {
    // A damaged data file must not keep the hub from reporting that the line is back.
    const newest = asLastRead(events.newestId, 0)();
    pending = asLastRead(() => events.countPendingUpTo(newest), 0);
    last = { from, until: world.clock.now(), newest, saved: pending(), arrivedAt: null };
    downSince = null;
    remember();
  }

  reachability.onChange((isUp) => {
    if (!isUp) begin();
    else if (downSince !== null) end(downSince);
  });

  return {
    /** Since when the back-office is unreachable, ms since 1970; null if it is reachable. */
    downSince: (): number | null => downSince,

    last(): Outage | null {
      if (last === null) return null;
      const left = settle(last);
      const { from, until, saved, arrivedAt } = last;
      return { from: isoTime(from), until: isoTime(until), saved, left, arrivedAt: isoTimeOrNull(arrivedAt) };
    },
  };
}

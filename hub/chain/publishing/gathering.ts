import type { World } from "../../platform/world.ts";

/** Changes within this time are sent together. */
const MIN_MS = 300;
const MAX_MS = 5 * 60_000;
/** When headquarters lag behind, a little more delay does not matter. */
const DELAY_SHARE = 0.1;

export type Gathering = ReturnType<typeof createGathering>;

/**
 * Decides how long a change waits for others. The wait grows with headquarters' lag, so a check that changed twelve times
 * meanwhile is sent once. Waiting changes are sent at once when headquarters have caught up.
 */
export function createGathering(deps: {
  world: Pick<World, "clock" | "timers">;
  /** Age of the oldest unconfirmed batch in ms; 0 if all are confirmed. */
  behindMs(): number;
  /** Called when the gathered changes are due. */
  onEnd(): void;
}) {
  const { clock, timers } = deps.world;
  let pending: { since: number; timer: NodeJS.Timeout } | null = null;

  const waitMs = (): number => Math.min(MAX_MS, Math.max(MIN_MS, deps.behindMs() * DELAY_SHARE));

  function endIn(ms: number): NodeJS.Timeout {
    return timers.setTimeout(() => {
      pending = null;
      deps.onEnd();
    }, ms);
  }

  return {
    /** Called when something changed. */
    add(): void {
      pending ??= { since: clock.monotonic(), timer: endIn(waitMs()) };
    },
    /** Whether changes are waiting longer than usual. */
    isLong: (): boolean => pending !== null && waitMs() > MIN_MS,
    /** Recomputes the wait, as headquarters' lag may have changed. */
    reconsider(): void {
      if (pending === null) return;
      timers.clearTimeout(pending.timer);
      pending.timer = endIn(Math.max(0, pending.since + waitMs() - clock.monotonic()));
    },
    stop(): void {
      if (pending !== null) timers.clearTimeout(pending.timer);
      pending = null;
    },
  };
}

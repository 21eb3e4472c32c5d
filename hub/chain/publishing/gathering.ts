import type { World } from "../../platform/world.ts";

/** Changes that come together travel together. */
const SHORTEST_MS = 300;
const LONGEST_MS = 5 * 60_000;
/** Where headquarters are behind, it does not matter whether they hear of a change a little later. */
const SHARE_OF_BEHIND = 0.1;

export type Gathering = ReturnType<typeof createGathering>;

/**
 * How long a change waits for others to travel with: the farther headquarters are behind, the longer, because of a check
 * that changed twelve times meanwhile they get one state. What waited goes at once when they are no longer behind.
 */
export function createGathering(deps: {
  world: Pick<World, "clock" | "timers">;
  /** For how long headquarters have not confirmed what was sent, ms; 0 where they have. */
  behindMs(): number;
  /** What was gathered is to go. */
  onEnd(): void;
}) {
  const { clock, timers } = deps.world;
  let pending: { since: number; timer: NodeJS.Timeout } | null = null;

  const waitMs = (): number => Math.min(LONGEST_MS, Math.max(SHORTEST_MS, deps.behindMs() * SHARE_OF_BEHIND));

  function endIn(ms: number): NodeJS.Timeout {
    return timers.setTimeout(() => {
      pending = null;
      deps.onEnd();
    }, ms);
  }

  return {
    /** Something changed. */
    add(): void {
      pending ??= { since: clock.monotonic(), timer: endIn(waitMs()) };
    },
    /** Something waits for longer than usual. */
    isLong: (): boolean => pending !== null && waitMs() > SHORTEST_MS,
    /** How far headquarters are behind may have changed. */
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

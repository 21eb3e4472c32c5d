import type { Listener } from "../../changes/change.ts";
import type { ForwardCounts } from "../../forwarding/event-store.ts";
import type { World } from "../../platform/world.ts";

export type DrainRate = ReturnType<typeof createDrainRate>;

const WINDOW_MS = 60_000;
const MAX_TIMES = 1_000;

/** Measures how fast the back-office has been accepting paid orders. */
export function createDrainRate(world: World) {
  let closedTimes: number[] = [];

  return {
    follow: ((changes) => {
      for (const change of changes) {
        if (change.kind === "order.stored" && change.versionKind === "closed")
          closedTimes.push(world.clock.monotonic());
      }
      if (closedTimes.length > 2 * MAX_TIMES) closedTimes = closedTimes.slice(-MAX_TIMES);
    }) satisfies Listener,

    /**
     * Estimates how long the queue without held orders takes at that rate, in ms. Null if the back-office accepted none in the
     * last minute, or if only held orders are left.
     */
    estimateMs({ pending, attention, held }: Pick<ForwardCounts, "pending" | "attention" | "held">): number | null {
      const moving = pending - attention - held;
      if (moving === 0) return held === 0 ? 0 : null;
      const now = world.clock.monotonic();
      const recent = closedTimes.filter((at) => at > now - WINDOW_MS).slice(-MAX_TIMES);
      const [first] = recent;
      if (first === undefined) return null;
      return Math.round((moving * Math.max(1, now - first)) / recent.length);
    },
  };
}

import type { Outage } from "@comanda/protocol";
import type { Reachability } from "../back-office/reachability.ts";
import { asLastRead } from "../db/as-last-read.ts";
import type { EventStore } from "../forwarding/event-store.ts";
import { isoTime, type World } from "../platform/world.ts";

interface Span {
  from: number;
  until: number;
  saved: number;
  arrivedAt: number | null;
  /** How many of the orders that had waited still do. */
  countLeft: () => number;
}

/**
 * Remembers the last time that the back-office could not be reached, and follows the paid orders that waited until they
 * have arrived. An outage that begins before they have arrived continues the last one.
 */
export function createOutages(deps: {
  world: World;
  reachability: Reachability;
  events: Pick<EventStore, "pendingUpTo" | "newestId">;
}): () => Outage | null {
  const { world, reachability, events } = deps;
  let downSince: number | null = null;
  let last: Span | null = null;

  /** How many still wait, after noting when none does any more. */
  function settle(span: Span): number {
    if (span.arrivedAt !== null) return 0;
    const left = span.countLeft();
    if (left === 0) span.arrivedAt = world.clock.now();
    return left;
  }

  function begin(): void {
    downSince = last !== null && settle(last) > 0 ? last.from : world.clock.now();
  }

  function end(from: number): void {
    // A damaged data file must not keep anybody from hearing that the line is back.
    const newest = asLastRead(events.newestId, 0)();
    const countLeft = asLastRead(() => events.pendingUpTo(newest), 0);
    last = { from, until: world.clock.now(), saved: countLeft(), arrivedAt: null, countLeft };
    downSince = null;
  }

  reachability.onChange((isUp) => {
    if (!isUp) begin();
    else if (downSince !== null) end(downSince);
  });

  return () => {
    if (last === null) return null;
    const left = settle(last);
    const { from, until, saved, arrivedAt } = last;
    const arrived = arrivedAt === null ? null : isoTime(arrivedAt);
    return { from: isoTime(from), until: isoTime(until), saved, left, arrivedAt: arrived };
  };
}

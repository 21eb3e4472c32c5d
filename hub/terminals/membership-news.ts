import type { World } from "../platform/world.ts";
import type { News } from "./wire.ts";

/** So many are told at once before the others are gathered: more than most restaurants have terminals. */
const AT_ONCE = 16;
/** How long they are gathered; doubled while terminals keep coming and going. */
const GATHER_MS = 250;
const GATHER_MAX_MS = 2_000;

/** News of a terminal, for those that were here then. */
export type MembershipItem = Pick<News, "text" | "upTo"> & Partial<Pick<News, "except">>;

/**
 * Tells terminals who comes and goes: at once, but for what is many within a moment, which is told together. Where all of
 * them come back at the same time, each hears of the others in a few frames instead of one for each.
 */
export function createMembershipNews(world: World, tell: (items: readonly MembershipItem[]) => void) {
  const { timers } = world;
  const held: MembershipItem[] = [];
  const heldTerminals = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  /** How many may still be told before the timer fires. */
  let atOnce = AT_ONCE;

  function gather(waitMs: number): void {
    timer = timers.setTimeout(() => {
      timer = undefined;
      atOnce = held.length > 0 ? 0 : AT_ONCE;
      if (held.length === 0) return;
      heldTerminals.clear();
      tell(held.splice(0));
      gather(Math.min(waitMs * 2, GATHER_MAX_MS));
    }, waitMs);
  }

  return {
    add(terminalId: string, item: MembershipItem): void {
      if (timer === undefined) gather(GATHER_MS);
      if (atOnce > 0) {
        atOnce -= 1;
        tell([item]);
        return;
      }
      held.push(item);
      heldTerminals.add(terminalId);
    },
    /** Whether news of that terminal waits to be told: whatever else there is of it must not overtake that. */
    isHolding: (terminalId: string): boolean => heldTerminals.has(terminalId),
    stop(): void {
      timers.clearTimeout(timer);
    },
  };
}

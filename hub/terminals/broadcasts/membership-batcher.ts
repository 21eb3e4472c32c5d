import type { World } from "../../platform/world.ts";
import type { Broadcast } from "./broadcast.ts";

/** How many are sent at once before the others are gathered: more than most restaurants have terminals. */
const AT_ONCE = 16;
/** How long they are gathered; doubled while terminals keep coming and going. */
const GATHER_MS = 250;
const GATHER_MAX_MS = 2_000;

type MembershipItem = Pick<Broadcast, "text" | "upTo"> & Partial<Pick<Broadcast, "except">>;

/**
 * Sends who joins and leaves: at once, or together when it is many within a moment. So terminals that all come back at
 * the same time get a few frames each instead of one for every other terminal.
 */
export function createMembershipBatcher(world: World, send: (items: readonly MembershipItem[]) => void) {
  const { timers } = world;
  const held: MembershipItem[] = [];
  const heldTerminals = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  /** How many may still be sent before the timer fires. */
  let atOnce = AT_ONCE;

  function gather(waitMs: number): void {
    timer = timers.setTimeout(() => {
      timer = undefined;
      atOnce = held.length > 0 ? 0 : AT_ONCE;
      if (held.length === 0) return;
      heldTerminals.clear();
      send(held.splice(0));
      gather(Math.min(waitMs * 2, GATHER_MAX_MS));
    }, waitMs);
  }

  return {
    add(terminalId: string, item: MembershipItem): void {
      if (timer === undefined) gather(GATHER_MS);
      if (atOnce > 0) {
        atOnce -= 1;
        send([item]);
        return;
      }
      held.push(item);
      heldTerminals.add(terminalId);
    },
    /** Whether a message about that terminal waits: no other about it may overtake that. */
    isHolding: (terminalId: string): boolean => heldTerminals.has(terminalId),
    stop(): void {
      timers.clearTimeout(timer);
    },
  };
}

import type { World } from "../../platform/world.ts";
import type { Broadcast } from "./broadcast.ts";

/** How many messages are sent at once before batching begins: more than most restaurants have terminals. */
const BURST = 16;
/** Batching interval, doubled up to GATHER_MAX_MS while terminals keep joining and leaving. */
const GATHER_MS = 250;
const GATHER_MAX_MS = 2_000;

type MembershipItem = Pick<Broadcast, "text" | "upTo"> & Partial<Pick<Broadcast, "except">>;

/**
 * Sends TERMINAL_JOINED and TERMINAL_LEFT messages, batched when there are many within a short time. When all terminals
 * reconnect together, each gets a few frames instead of one per other terminal.
 */
export function createMembershipBatcher(world: World, send: (items: readonly MembershipItem[]) => void) {
  const { timers } = world;
  const pending: MembershipItem[] = [];
  const pendingTerminals = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  /** How many messages may still be sent before the timer fires. */
  let remaining = BURST;

  function gather(waitMs: number): void {
    timer = timers.setTimeout(() => {
      timer = undefined;
      remaining = pending.length > 0 ? 0 : BURST;
      if (pending.length === 0) return;
      pendingTerminals.clear();
      send(pending.splice(0));
      gather(Math.min(waitMs * 2, GATHER_MAX_MS));
    }, waitMs);
  }

  return {
    add(terminalId: string, item: MembershipItem): void {
      if (timer === undefined) gather(GATHER_MS);
      if (remaining > 0) {
        remaining -= 1;
        send([item]);
        return;
      }
      pending.push(item);
      pendingTerminals.add(terminalId);
    },
    /** Whether a message about the terminal is queued; later messages about it must not overtake it. */
    isHolding: (terminalId: string): boolean => pendingTerminals.has(terminalId),
    stop(): void {
      timers.clearTimeout(timer);
    },
  };
}

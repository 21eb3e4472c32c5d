import type { KitchenTicket } from "@comanda/protocol";
import type { Tone } from "../../../lib/page/sound.ts";
import { hasUnseenCancel, isNewWork } from "../tickets/ticket-facts.ts";

/** When and how often a ticket rang, by reason and ticket; `at` in ms. */
export type Rung = ReadonlyMap<string, { at: number; times: number }>;

/** An unseen ticket rings once more after this time in ms, and then never again. */
const AGAIN_MS = 60_000;
const MAX_TIMES = 2;

/**
 * Returns the tones to play now, and the updated record: one for each new ticket and cancellation, and one more while it is
 * unseen. Tickets of other stations (not `isShown`) are silent, but keep their record for when they are shown again.
 */
export function chimesAt(
  rung: Rung,
  tickets: readonly KitchenTicket[],
  now: number,
  isShown: (ticket: KitchenTicket) => boolean = () => true,
): { tones: Tone[]; rung: Rung } {
  const tones = new Set<Tone>();
  const next = new Map<string, { at: number; times: number }>();
  for (const ticket of tickets) {
    const rings = isShown(ticket);
    const reasons: Tone[] = [
      ...(isNewWork(ticket) ? (["newTicket"] as const) : []),
      ...(hasUnseenCancel(ticket) ? (["cancelled"] as const) : []),
    ];
    for (const tone of reasons) {
      const key = `${tone} ${ticket.id}`;
      const last = rung.get(key);
      const isDue = rings && (last === undefined || (last.times < MAX_TIMES && now - last.at >= AGAIN_MS));
      if (isDue) tones.add(tone);
      const ring = isDue ? { at: now, times: (last?.times ?? 0) + 1 } : last;
      if (ring !== undefined) next.set(key, ring);
    }
  }
  return { tones: [...tones], rung: next };
}

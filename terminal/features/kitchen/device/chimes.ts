import type { KitchenTicket } from "@comanda/protocol";
import type { Tone } from "../../../lib/page/sound.ts";
import { hasUnseenCancel, isNewWork } from "../tickets/ticket-facts.ts";

/** When a ticket rang, in ms by what it rang for. */
export type Rung = ReadonlyMap<string, { at: number; times: number }>;

/** What nobody has looked at rings once more after this time, and then never again. */
const AGAIN_MS = 60_000;
const MOST_TIMES = 2;

/**
 * What is to be heard now, and what has rung then: once for each new ticket and cancellation, once more while it is unseen.
 * Of those at another station (`isShown`) nothing is heard, and what has rung is kept: somebody may come back to them.
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
      const isDue = rings && (last === undefined || (last.times < MOST_TIMES && now - last.at >= AGAIN_MS));
      if (isDue) tones.add(tone);
      const known = isDue ? { at: now, times: (last?.times ?? 0) + 1 } : last;
      if (known !== undefined) next.set(key, known);
    }
  }
  return { tones: [...tones], rung: next };
}

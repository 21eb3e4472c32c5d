import type { DishTime, KitchenTicket } from "@comanda/protocol";

/** A dish with fewer samples gets no time. */
const MIN_SAMPLES = 8;
/** Only the newest samples of a dish count; more add nothing. */
const MAX_SAMPLES = 200;
/** Shorter is an accidental tap, longer a forgotten ticket. */
const MIN_MS = 10_000;
const MAX_MS = 2 * 3_600_000;

/** Collects how long dishes took. Tickets must be added newest first. */
export function createDishTimes() {
  const byProduct = new Map<string, number[]>();
  return {
    add(ticket: KitchenTicket): void {
      // A ticket from a terminal's outbox, or one that expired, says nothing about cooking time.
      if (ticket.expired === true || ticket.late === true) return;
      for (const line of ticket.lines) {
        if (line.productId === null || (line.state !== "ready" && line.state !== "served")) continue;
        const took = Date.parse(line.readyAt ?? "") - Date.parse(ticket.sentAt);
        if (!(took >= MIN_MS && took <= MAX_MS)) continue;
        const key = String(line.productId);
        const times = byProduct.get(key) ?? [];
        byProduct.set(key, times);
        if (times.length < MAX_SAMPLES) times.push(took);
      }
    },

    medians(): DishTime[] {
      return [...byProduct]
        .filter(([, times]) => times.length >= MIN_SAMPLES)
        .map(([productId, times]) => ({ productId, usualMs: medianOf(times), samples: times.length }));
    },
  };
}

function medianOf(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return Math.round(sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2);
}

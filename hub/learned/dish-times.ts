import type { DishTime, KitchenTicket } from "@comanda/protocol";

/** With fewer times nothing is said of a dish. */
const FEWEST_SAMPLES = 8;
/** The newest of a dish; more say no more. */
const MOST_SAMPLES = 200;
/** A tap too much, or a ticket that was forgotten: neither is a time of cooking. */
const SHORTEST_MS = 10_000;
const LONGEST_MS = 2 * 3_600_000;

/** Collects how long dishes took; tickets are to be added newest first. */
export function createDishTimes() {
  const byProduct = new Map<string, number[]>();
  return {
    add(ticket: KitchenTicket): void {
      // What waited in a terminal's outbox began to cook at another time than it was sent.
      if (ticket.expired === true || ticket.late === true) return;
      for (const line of ticket.lines) {
        if (line.productId === null || (line.state !== "ready" && line.state !== "served")) continue;
        const took = Date.parse(line.readyAt ?? "") - Date.parse(ticket.sentAt);
        if (!(took >= SHORTEST_MS && took <= LONGEST_MS)) continue;
        const key = String(line.productId);
        const times = byProduct.get(key) ?? [];
        byProduct.set(key, times);
        if (times.length < MOST_SAMPLES) times.push(took);
      }
    },

    medians(): DishTime[] {
      return [...byProduct]
        .filter(([, times]) => times.length >= FEWEST_SAMPLES)
        .map(([productId, times]) => ({ productId, usualMs: medianOf(times), samples: times.length }));
    },
  };
}

function medianOf(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return Math.round(sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2);
}

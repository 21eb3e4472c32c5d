import { MINUTE_MS, type WaitingParty } from "@comanda/protocol";

/** Fewer paid tables are not enough to estimate how long guests stay. */
const MIN_TURNS = 3;
/** Time that guests beyond the usual turn still need to leave. */
const LEAVING_MS = 5 * MINUTE_MS;
const STEP_MINUTES = 5;
const USUAL_MINUTES = 15;

export interface Seating {
  /** `bookedAt` is the time in ms of a booking near the present, or null. */
  tables: readonly { id: number; seats: number; bookedAt: number | null }[];
  /** When each occupied table was taken, in ms since 1970. */
  occupiedSince: ReadonlyMap<number, number>;
  /** How long tables paid in this shift were occupied, in ms. */
  turnsMs: readonly number[];
  /** Sizes of the parties already waiting, longest wait first. */
  ahead: readonly number[];
}

/**
 * Returns in how many minutes, in steps of five, a table for `partySize` is likely to be free. Each party ahead takes the first
 * table with room and without a booking; every table turns as the shift's median. Null if this cannot be estimated.
 */
export function quoteMinutes(
  { tables, occupiedSince, turnsMs, ahead }: Seating,
  partySize: number,
  now: number,
): number | null {
  const turnMs = turnsMs.length < MIN_TURNS ? null : median(turnsMs);
  const free = tables.flatMap(({ id, seats, bookedAt }) => {
    if (bookedAt !== null) return [];
    const since = occupiedSince.get(id);
    if (since === undefined) return { seats, at: now };
    return { seats, at: turnMs === null ? Infinity : Math.max(since + turnMs, now + LEAVING_MS) };
  });
  const seat = (size: number): number => {
    const fitting = free.filter(({ seats }) => seats >= size);
    const first = fitting.toSorted((one, other) => one.at - other.at || one.seats - other.seats)[0];
    if (first === undefined) return Infinity;
    const { at } = first;
    first.at = turnMs === null ? Infinity : at + turnMs;
    return at;
  };
  ahead.forEach(seat);
  const at = seat(partySize);
  return at === Infinity ? null : Math.ceil((at - now) / MINUTE_MS / STEP_MINUTES) * STEP_MINUTES;
}

/** Returns the quote if there is no estimate: the usual one, or the longest remaining quote of the parties ahead. */
export function usualQuote(ahead: readonly Pick<WaitingParty, "since" | "quotedMinutes">[], now: number): number {
  const waits = ahead.map(({ since, quotedMinutes }) => Date.parse(since) + quotedMinutes * MINUTE_MS - now);
  return Math.max(USUAL_MINUTES, ...waits.map((ms) => Math.ceil(ms / MINUTE_MS / STEP_MINUTES) * STEP_MINUTES));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

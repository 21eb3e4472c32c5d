import { MINUTE_MS, type WaitingParty } from "@comanda/protocol";

/** So many paid tables tell how long guests stay; fewer are chance. */
const FEWEST_TURNS = 3;
/** Guests who are over their time still need this long to leave. */
const LEAVING_MS = 5 * MINUTE_MS;
const STEP_MINUTES = 5;
const USUAL_MINUTES = 15;

export interface House {
  /** `bookedAt`: when guests come who have booked it, in ms; null: nobody comes soon. */
  tables: readonly { id: number; seats: number; bookedAt: number | null }[];
  /** Since when each occupied table is, in ms since 1970. */
  occupiedSince: ReadonlyMap<number, number>;
  /** How long the tables were occupied that have paid in this shift, in ms. */
  turnsMs: readonly number[];
  /** The sizes of the parties that wait already, the longest first. */
  ahead: readonly number[];
}

/**
 * In how many minutes a table for `partySize` is likely to be free at `now`, in steps of five: each party ahead takes the
 * first table that has room for it and is not booked, and every table turns as the median table of this shift did. Null: nobody can tell.
 */
export function quoteMinutes(
  { tables, occupiedSince, turnsMs, ahead }: House,
  partySize: number,
  now: number,
): number | null {
  const turnMs = turnsMs.length < FEWEST_TURNS ? null : median(turnsMs);
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

/** Where nobody can tell: the usual, and no less than those ahead were told and still have to wait. */
export function usualQuote(ahead: readonly Pick<WaitingParty, "since" | "quotedMinutes">[], now: number): number {
  const left = ahead.map(({ since, quotedMinutes }) => Date.parse(since) + quotedMinutes * MINUTE_MS - now);
  return Math.max(USUAL_MINUTES, ...left.map((ms) => Math.ceil(ms / MINUTE_MS / STEP_MINUTES) * STEP_MINUTES));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

import type { NcfSequence, NcfSequenceState, NcfSequenceStatus } from "@comanda/protocol";
import { timeOf } from "../time.ts";

const DAY_MS = 24 * 3_600_000;
const LOW_COUNT = 200;
const EXPIRING_DAYS = 14;
/** Fiscal days are in Santo Domingo time: UTC-4 without daylight saving time. */
const FISCAL_OFFSET_MS = 4 * 3_600_000;

/** Returns the sequences with their states; null if the back-office reports none. `now` is in ms since 1970. */
export function presentSequences(
  sequences: readonly NcfSequence[] | undefined,
  now: number,
): NcfSequenceStatus[] | null {
  if (sequences === undefined) return null;
  const today = Math.floor((now - FISCAL_OFFSET_MS) / DAY_MS);
  return sequences.map(({ type, prefix = type, left, expiresOn = null }) => ({
    type,
    prefix,
    left,
    expiresOn,
    state: stateOf(left, expiresOn === null ? Infinity : timeOf(expiresOn) / DAY_MS - today),
  }));
}

function stateOf(left: number, daysLeft: number): NcfSequenceState {
  if (left === 0) return "used_up";
  if (daysLeft < 0) return "expired";
  if (left <= LOW_COUNT) return "low";
  return daysLeft <= EXPIRING_DAYS ? "expiring" : "ok";
}

/** Returns whether a sequence is used up or expired. */
export function lacksNumbers(sequences: readonly NcfSequenceStatus[] | null): boolean {
  return sequences?.some(({ state }) => state === "used_up" || state === "expired") ?? false;
}

/**
 * Returns the types that are running out or expiring, each with the sequence in use. Types that have another sequence in good
 * order are left out.
 */
export function scarceNumbers(sequences: readonly NcfSequenceStatus[] | null): NcfSequenceStatus[] {
  return [...Map.groupBy(sequences ?? [], ({ type }) => type).values()].flatMap((rows) => {
    if (rows.some(({ state }) => state === "ok")) return [];
    return rows.find((sequence) => !lacksNumbers([sequence])) ?? rows[0] ?? [];
  });
}

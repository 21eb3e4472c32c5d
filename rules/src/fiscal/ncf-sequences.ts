import type { NcfSequence, NcfSequenceState, NcfSequenceStatus } from "@comanda/protocol";
import { timeOf } from "../time.ts";

const DAY_MS = 24 * 3_600_000;
const LOW_LEFT = 200;
const EXPIRING_DAYS = 14;
/** Fiscal days are those of Santo Domingo: UTC-4, without summer time. */
const FISCAL_OFFSET_MS = 4 * 3_600_000;

/** The sequences with what a manager has to know of each; null where the back-office tells none. `now` is ms since 1970. */
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
  if (left <= LOW_LEFT) return "low";
  return daysLeft <= EXPIRING_DAYS ? "expiring" : "ok";
}

/** Whether numbers of a sequence can no longer be had. */
export function lacksNumbers(sequences: readonly NcfSequenceStatus[] | null): boolean {
  return sequences?.some(({ state }) => state === "used_up" || state === "expired") ?? false;
}

/**
 * The types that run out or expire, with the sequence that gives their numbers now. A type with another sequence that will
 * do is none of them.
 */
export function scarceNumbers(sequences: readonly NcfSequenceStatus[] | null): NcfSequenceStatus[] {
  return [...Map.groupBy(sequences ?? [], ({ type }) => type).values()].flatMap((ofType) => {
    if (ofType.some(({ state }) => state === "ok")) return [];
    return ofType.find((sequence) => !lacksNumbers([sequence])) ?? ofType[0] ?? [];
  });
}

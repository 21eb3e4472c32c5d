import type { Role, ShiftState } from "@comanda/protocol";
import { pastTime, SLACK_MS } from "../time.ts";

/** Why nothing is done at a till. */
export type TillRefusal = "FORBIDDEN" | "NO_TILL" | "SHIFT_OPEN" | "SHIFT_CLOSED";

/** What a rule knows of a till: its shift that is not closed. */
interface KnownTill {
  shift: { id: string; state: ShiftState } | null;
}

/** Opening a shift: one at a time, and a counted one waits for a manager first. */
export function refusalOfOpening(role: Role, till: KnownTill | null): TillRefusal | null {
  if (role === "waiter") return "FORBIDDEN";
  if (till === null) return "NO_TILL";
  return till.shift === null ? null : "SHIFT_OPEN";
}

/** Opening the drawer needs no shift: the float has to get there somehow. */
export function refusalOfDrawer(role: Role, till: KnownTill | null): TillRefusal | null {
  if (role === "waiter") return "FORBIDDEN";
  return till === null ? "NO_TILL" : null;
}

/** Once it is counted nothing goes in or out any more: the count would be of something else. */
export function refusalOfMove(role: Role, shift: { state: ShiftState } | null): TillRefusal | null {
  if (role === "waiter") return "FORBIDDEN";
  return shift?.state === "open" ? null : "SHIFT_CLOSED";
}

export function refusalOfCount(role: Role, shift: { state: ShiftState } | null): TillRefusal | null {
  if (role === "waiter") return "FORBIDDEN";
  return shift === null || shift.state === "closed" ? "SHIFT_CLOSED" : null;
}

/** When a shift took money, and from when on it did not any more; ms since 1970. */
export interface ShiftTime {
  id: string;
  openedAt: number;
  /** When its first count was stored; null while there is none. */
  countedAt: number | null;
}

/**
 * The shift that money belongs to at `now`: the open one, when it was taken then. What comes later than its shift was counted
 * belongs to none; `queuedIn` is the shift that it was taken in.
 */
export function shiftOfMoney(
  shifts: readonly ShiftTime[],
  takenAt: number,
  now: number,
): { shiftId: string | null; queuedIn: string | null } {
  const then = shifts.find(
    ({ openedAt, countedAt }) =>
      pastTime(openedAt, now) <= takenAt && (countedAt === null || takenAt < pastTime(countedAt, now)),
  );
  const open = shifts.find(({ countedAt }) => countedAt === null);
  if (then !== undefined && then.countedAt !== null) return { shiftId: null, queuedIn: then.id };
  // One that was opened before the clock was put back was opened nobody knows how long ago.
  const isOpenSince = open !== undefined && (open.openedAt > now || open.openedAt - SLACK_MS <= takenAt);
  return { shiftId: isOpenSince ? open.id : null, queuedIn: null };
}

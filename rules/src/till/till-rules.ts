import type { Role, ShiftState } from "@comanda/protocol";
import { pastTime, SLACK_MS } from "../time.ts";

/** Why a till action is rejected. */
export type TillRefusal = "FORBIDDEN" | "NO_TILL" | "SHIFT_OPEN" | "SHIFT_CLOSED";

/** A till with its shift that is not closed, if any. */
interface TillWithShift {
  shift: { id: string; state: ShiftState } | null;
}

/** Rejects a second open shift. A counted shift that waits for a manager counts as open. */
export function refusalOfOpening(role: Role, till: TillWithShift | null): TillRefusal | null {
  if (role === "waiter") return "FORBIDDEN";
  if (till === null) return "NO_TILL";
  return till.shift === null ? null : "SHIFT_OPEN";
}

/** Opening the drawer needs no shift, because the float has to be put in before one is opened. */
export function refusalOfDrawer(role: Role, till: TillWithShift | null): TillRefusal | null {
  if (role === "waiter") return "FORBIDDEN";
  return till === null ? "NO_TILL" : null;
}

/** After a count no money may be moved, because the count would no longer match. */
export function refusalOfMove(role: Role, shift: { state: ShiftState } | null): TillRefusal | null {
  if (role === "waiter") return "FORBIDDEN";
  return shift?.state === "open" ? null : "SHIFT_CLOSED";
}

export function refusalOfCount(role: Role, shift: { state: ShiftState } | null): TillRefusal | null {
  if (role === "waiter") return "FORBIDDEN";
  return shift === null || shift.state === "closed" ? "SHIFT_CLOSED" : null;
}

/** The period in which a shift takes money, in ms since 1970. */
export interface ShiftTime {
  id: string;
  openedAt: number;
  /** When its first count was stored; null before that. */
  countedAt: number | null;
}

/**
 * Returns the shift that money belongs to: the open one, if the money was taken during it. Money of a shift that has been
 * counted since belongs to none; `queuedIn` is that shift.
 */
export function shiftOfMoney(
  shifts: readonly ShiftTime[],
  takenAt: number,
  now: number,
): { shiftId: string | null; queuedIn: string | null } {
  const shiftThen = shifts.find(
    ({ openedAt, countedAt }) =>
      pastTime(openedAt, now) <= takenAt && (countedAt === null || takenAt < pastTime(countedAt, now)),
  );
  const open = shifts.find(({ countedAt }) => countedAt === null);
  if (shiftThen !== undefined && shiftThen.countedAt !== null) return { shiftId: null, queuedIn: shiftThen.id };
  // A shift opened in the future was opened before the clock was set back, at an unknown time.
  const isOpenSince = open !== undefined && (open.openedAt > now || open.openedAt - SLACK_MS <= takenAt);
  return { shiftId: isOpenSince ? open.id : null, queuedIn: null };
}

// What pages know about bookings and waiting parties. Kept apart from the schemas so that a page can import it without zod.

import { HOUR_MS, MINUTE_MS } from "../basics/durations.ts";

export const RESERVATIONS_PLUGIN = "reservations";

/** The plugin whose records are the parties waiting for a table. The hub's terminals write them; no setting enables it. */
export const WAITING_PLUGIN = "waiting";

/** Defaults for fields that a booking leaves out. */
export const bookingDefaults = { status: "booked", leadMinutes: 45, graceMinutes: 20 } as const;

/** Defaults for fields that a waiting party leaves out. */
export const waitingDefaults = { status: "waiting" } as const;

/** Returns whether the staff took the booking by phone. All other bookings come from an integration. */
export function isByPhone(booking: Readonly<Record<string, unknown>>): boolean {
  return booking["source"] === "phone";
}

/** A booking ends this long after its time, even if nobody recorded that the guests did not come. */
const MISSED_AFTER_MS = 6 * HOUR_MS;

export type ReservationPhase = "invisible" | "upcoming" | "due" | "late" | "ended";

/** The fields of a booking that decide its phase. */
interface PhasedBooking {
  status: string;
  at: string;
  leadMinutes: number;
  graceMinutes: number;
}

/** Returns the phases that a booking enters by the clock, with their start (ms since 1970). Empty unless it is `booked`. */
export function phaseStarts({
  status,
  at,
  leadMinutes,
  graceMinutes,
}: PhasedBooking): [phase: ReservationPhase, from: number][] {
  if (status !== "booked") return [];
  const sitting = Date.parse(at);
  return [
    ["upcoming", sitting - leadMinutes * MINUTE_MS],
    ["due", sitting],
    // A guest who arrives exactly at the end of the grace period is not late yet.
    ["late", sitting + graceMinutes * MINUTE_MS + 1],
    ["ended", sitting + MISSED_AFTER_MS],
  ];
}

/** Returns the phase that a terminal shows at `now` (ms since 1970). */
export function reservationPhase(booking: PhasedBooking, now: number): ReservationPhase {
  const before = booking.status === "booked" ? "invisible" : "ended";
  return phaseStarts(booking).findLast(([, from]) => from <= now)?.[0] ?? before;
}

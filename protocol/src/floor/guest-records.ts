// What is known of bookings and waiting parties without their schemas, which stand apart: a page uses this and loads no zod.

import { HOUR_MS, MINUTE_MS } from "../basics/durations.ts";

export const RESERVATIONS_PLUGIN = "reservations";

/** The plugin whose records are the parties that wait for a table. The hub's terminals write them; no setting enables it. */
export const WAITING_PLUGIN = "waiting";

/** What holds for a booking that does not say it. */
export const bookingDefaults = { status: "booked", leadMinutes: 45, graceMinutes: 20 } as const;

/** What holds for a waiting party that does not say it. */
export const waitingDefaults = { status: "waiting" } as const;

/** Whether the guests called and the staff wrote them down; any other booking is an integration's. */
export function isByPhone(booking: Readonly<Record<string, unknown>>): boolean {
  return booking["source"] === "phone";
}

/** So long after its time nobody waits for a booking any more, whether or not somebody has said that they did not come. */
const MISSED_AFTER_MS = 6 * HOUR_MS;

export type ReservationPhase = "invisible" | "upcoming" | "due" | "late" | "ended";

/** What of a booking says its phase. */
interface PhasedBooking {
  status: string;
  at: string;
  leadMinutes: number;
  graceMinutes: number;
}

/** The phases that a booking enters by the clock, each from when (ms since 1970); none once it is known what became of it. */
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
    // After the last moment of grace, not with it.
    ["late", sitting + graceMinutes * MINUTE_MS + 1],
    ["ended", sitting + MISSED_AFTER_MS],
  ];
}

/** The phase that a terminal shows at `now` (ms since 1970). */
export function reservationPhase(booking: PhasedBooking, now: number): ReservationPhase {
  const before = booking.status === "booked" ? "invisible" : "ended";
  return phaseStarts(booking).findLast(([, from]) => from <= now)?.[0] ?? before;
}

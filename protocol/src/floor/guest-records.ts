// What is known of bookings and waiting parties without their schemas, which stand apart: a page uses this and loads no zod.

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

export type ReservationPhase = "invisible" | "upcoming" | "due" | "late" | "ended";

/** The phase that a terminal shows at `now` (ms since 1970). */
export function reservationPhase(
  booking: { status: string; at: string; leadMinutes: number; graceMinutes: number },
  now: number,
): ReservationPhase {
  if (booking.status !== "booked") return "ended";
  const at = Date.parse(booking.at);
  if (now < at - booking.leadMinutes * 60_000) return "invisible";
  if (now < at) return "upcoming";
  return now <= at + booking.graceMinutes * 60_000 ? "due" : "late";
}

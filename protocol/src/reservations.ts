import { z } from "zod";
import { IsoTime, TableId } from "./fields.ts";

export const RESERVATIONS_PLUGIN = "reservations";

const status = z.enum(["booked", "seated", "cancelled", "no_show"]);
export type BookingStatus = z.infer<typeof status>;

/** The payload of a booking (plugin `reservations`). The hub stores any; terminals drop what breaks these rules. */
export const Reservation = z.looseObject({
  tableId: TableId,
  /** Sitting time, ISO 8601 with a UTC offset. */
  at: IsoTime,
  guestName: z.string().min(1).max(120),
  partySize: z.int().min(1).max(50).optional(),
  phone: z.string().max(40).optional(),
  notes: z.string().max(500).optional(),
  status: status.default("booked"),
  leadMinutes: z.number().min(0).max(240).default(45),
  graceMinutes: z.number().min(0).max(240).default(20),
});
export type Reservation = z.infer<typeof Reservation>;

/** PATCH /terminal/v1/reservations/:key. `version` is that of the record which the person saw. */
export const SetBookingStatus = z.object({ status, version: z.int().positive() });
export type SetBookingStatus = z.infer<typeof SetBookingStatus>;

/** Whether the guests called and somebody of the house wrote them down; any other booking is an integration's. */
export function isByPhone(booking: Readonly<Record<string, unknown>>): boolean {
  return booking["source"] === "phone";
}

export type ReservationPhase = "invisible" | "upcoming" | "due" | "late" | "ended";

/** The phase that a terminal shows at `now` (ms since 1970). */
export function reservationPhase(booking: Reservation, now: number): ReservationPhase {
  if (booking.status !== "booked") return "ended";
  const at = Date.parse(booking.at);
  if (now < at - booking.leadMinutes * 60_000) return "invisible";
  if (now < at) return "upcoming";
  return now <= at + booking.graceMinutes * 60_000 ? "due" : "late";
}

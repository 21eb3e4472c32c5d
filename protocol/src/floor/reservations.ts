import { z } from "zod";
import { IsoTime, TableId } from "../basics/fields.ts";
import { bookingDefaults } from "./guest-records.ts";

const status = z.enum(["booked", "seated", "cancelled", "no_show"]);
export type BookingStatus = z.infer<typeof status>;

/**
 * The payload of a booking (plugin `reservations`). The hub stores any payload. Terminals drop one that breaks these rules, and
 * the hub says why in `PluginRecord.warnings`.
 */
export const Reservation = z.looseObject({
  tableId: TableId,
  /** Sitting time, with or without seconds. */
  at: z.union([IsoTime, z.iso.datetime({ offset: true, precision: -1 })], {
    error: "must be ISO 8601 with a UTC offset, Z or +hh:mm",
  }),
  guestName: z.string().min(1).max(120),
  partySize: z.int().min(1).max(50).optional(),
  phone: z.string().max(40).optional(),
  notes: z.string().max(500).optional(),
  status: status.default(bookingDefaults.status),
  leadMinutes: z.number().min(0).max(240).default(bookingDefaults.leadMinutes),
  graceMinutes: z.number().min(0).max(240).default(bookingDefaults.graceMinutes),
});
export type Reservation = z.infer<typeof Reservation>;

/** PATCH /terminal/v1/reservations/:key. `version` is the version of the record that the person saw. */
export const SetBookingStatus = z.object({ status, version: z.int().positive() });
export type SetBookingStatus = z.infer<typeof SetBookingStatus>;

import { z } from "zod";
import { IsoTime, noteText, plainText, TableId } from "../basics/fields.ts";

/** PUT /terminal/v1/reservations/:key: a booking taken by phone. */
export const PutBooking = z.object({
  tableId: TableId,
  at: IsoTime,
  guestName: plainText(120).min(1),
  partySize: z.int().min(1).max(50),
  phone: plainText(40).optional(),
  notes: noteText(500).optional(),
  /** Version of the record that the person saw when changing it; absent for a new booking. */
  version: z.int().positive().optional(),
});
export type PutBooking = z.infer<typeof PutBooking>;

/** Builds the payload of the plugin record for a booking taken by phone. */
export function bookingByPhone(
  booking: PutBooking,
  takenBy: string,
): Omit<PutBooking, "version"> & { source: "phone"; takenBy: string } {
  const { version: _, ...details } = booking;
  return { ...details, source: "phone", takenBy };
}

import type { Booking } from "@comanda/terminal";
import { tablesByRoom } from "./host-day.ts";

/** A party that comes sooner before or after another one finds it still there, or on its way. */
const APART_MS = 2 * 60 * 60_000;

/** The tables for guests who come at a time: those without another booking around that time first, of these the smallest that has room. */
export function tablesFor<T extends { id: number; seats: number }>({
  tables,
  bookings,
  partySize,
  at,
}: {
  tables: readonly T[];
  bookings: readonly Booking[];
  partySize: number;
  /** Null: no time is chosen, and every table is as good. */
  at: number | null;
}): (T & { bookedAt: number | null })[] {
  const booked = new Map<number, number>();
  for (const { reservation } of bookings) {
    const other = Date.parse(reservation.at);
    const isNear = at !== null && Math.abs(other - at) < APART_MS;
    if (reservation.status === "booked" && isNear) booked.set(reservation.tableId, other);
  }
  return tablesByRoom(tables, partySize)
    .map((table) => ({ ...table, bookedAt: booked.get(table.id) ?? null }))
    .toSorted((one, other) => Number(one.bookedAt !== null) - Number(other.bookedAt !== null));
}

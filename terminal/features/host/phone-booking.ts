import type { Booking } from "@comanda/terminal";
import { tablesByRoom } from "./host-day.ts";

/** Bookings closer than this in ms may need the same table at the same time. */
const APART_MS = 2 * 60 * 60_000;

/** Sorts the tables for guests at a time: those without another booking near it first, then as `tablesByRoom`. */
export function tablesFor<T extends { id: number; seats: number }>({
  tables,
  bookings,
  partySize,
  at,
}: {
  tables: readonly T[];
  bookings: readonly Booking[];
  partySize: number;
  /** Null while no time is chosen; bookings then do not matter. */
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

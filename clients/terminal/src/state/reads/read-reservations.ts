import {
  bookingDefaults,
  phaseStarts,
  RESERVATIONS_PLUGIN,
  reservationPhase,
  type PluginRecord,
  type Reservation,
  type ReservationPhase,
} from "@comanda/protocol";
import { guestRecordKey } from "@comanda/rules";
import type { LocalOrder } from "../../orders/local-order.ts";

export interface Booking {
  key: string;
  /** Of its record. */
  version: number;
  reservation: Reservation;
  phase: ReservationPhase;
  /** The order that has taken over from a seated booking, once there is one. */
  order: string | null;
}

export interface Reservations {
  bookings: Booking[];
  /** Records that break the rules of a booking, each with what the hub says of it. They are shown nowhere. */
  dropped: { key: string; reason: string }[];
  /** When the next booking enters another phase (ms since 1970), or null. */
  nextChangeAt: number | null;
}

/** Reads the records of the reservations plugin as they stand at `now`. A booking never touches a table or an order. */
export function readReservations(
  records: Iterable<PluginRecord>,
  orders: Iterable<LocalOrder>,
  now: number,
): Reservations {
  const linked = checksByRecord(orders, RESERVATIONS_PLUGIN);
  const bookings: Booking[] = [];
  const dropped: Reservations["dropped"] = [];
  for (const { pluginId, key, version, payload, warnings } of records) {
    if (pluginId !== RESERVATIONS_PLUGIN) continue;
    if (warnings !== undefined) {
      dropped.push({ key, reason: warnings.join("; ") });
      continue;
    }
    const reservation = { ...bookingDefaults, ...payload } as unknown as Reservation;
    const order = reservation.status === "seated" ? (linked.get(key)?.posReference ?? null) : null;
    bookings.push({ key, version, reservation, phase: reservationPhase(reservation, now), order });
  }
  const starts = bookings.flatMap(({ reservation }) => phaseStarts(reservation).map(([, from]) => from));
  const boundaries = starts.filter((from) => from > now);
  return { bookings, dropped, nextChangeAt: boundaries.length === 0 ? null : Math.min(...boundaries) };
}

/** The checks whose guests booked or waited, by the key of the plugin's record that each names. */
export function checksByRecord(orders: Iterable<LocalOrder>, pluginId: string): Map<string, LocalOrder> {
  const checks = new Map<string, LocalOrder>();
  for (const order of orders) {
    const key = guestRecordKey(order.snapshot, pluginId);
    if (key !== null) checks.set(key, order);
  }
  return checks;
}

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
  /** Version of the record. */
  version: number;
  reservation: Reservation;
  phase: ReservationPhase;
  /** The order of a seated booking, or null if there is none. */
  order: string | null;
}

export interface Reservations {
  bookings: Booking[];
  /** Records that violate the rules of a booking, with the hub's reason. They are not shown. */
  dropped: { key: string; reason: string }[];
  /** When the next booking enters another phase (ms since 1970), or null. */
  nextChangeAt: number | null;
}

/** Reads the records of the reservations plugin at time `now`. A booking changes no table or order. */
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

/** Returns checks by the key of the plugin's guest record (booking or waiting party) that they name. */
export function checksByRecord(orders: Iterable<LocalOrder>, pluginId: string): Map<string, LocalOrder> {
  const checks = new Map<string, LocalOrder>();
  for (const order of orders) {
    const key = guestRecordKey(order.snapshot, pluginId);
    if (key !== null) checks.set(key, order);
  }
  return checks;
}

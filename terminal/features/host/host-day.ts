import { HOUR_MS, RESERVATIONS_PLUGIN, restaurantClock } from "@comanda/protocol";
import { checksByRecord, type Booking, type LocalOrder } from "@comanda/terminal";

export type BookingState = "late" | "due" | "upcoming" | "later" | "seated" | "cancelled" | "noShow";

export interface HostBooking extends Booking {
  state: BookingState;
  /** The check of the guests, once seated. */
  check: LocalOrder | null;
}

/** Late bookings come first, then the next ones; seated, cancelled and missed ones come last. */
const rank: Record<BookingState, number> = {
  late: 0,
  due: 1,
  upcoming: 2,
  later: 3,
  seated: 4,
  cancelled: 5,
  noShow: 5,
};

export function isExpected({ state }: HostBooking): boolean {
  return rank[state] <= rank.later;
}

/** Bookings within this time are listed, also across the end of a business day. */
const NEAR_MS = 6 * HOUR_MS;

/** Returns the bookings of the business day at `now` (ms), of the hours around it, and all still awaited. */
export function bookingsOfDay(
  bookings: readonly Booking[],
  orders: readonly LocalOrder[],
  now: number,
  timeZone?: string,
): HostBooking[] {
  const checks = checksByRecord(orders, RESERVATIONS_PLUGIN);
  const clock = restaurantClock(timeZone);
  const today = clock.day(now);
  return bookings
    .map((booking): HostBooking => {
      const check = checks.get(booking.key) ?? null;
      return { ...booking, check, state: stateOf(booking, check) };
    })
    .filter((booking) => {
      // The guests did not come, and the booking was not settled.
      if (booking.state === "later" && booking.phase === "ended") return false;
      const isAwaited = booking.state === "late" || booking.state === "due" || booking.state === "upcoming";
      const at = Date.parse(booking.reservation.at);
      return isAwaited || clock.day(at) === today || Math.abs(at - now) < NEAR_MS;
    })
    .toSorted(
      (one, other) =>
        rank[one.state] - rank[other.state] || Date.parse(one.reservation.at) - Date.parse(other.reservation.at),
    );
}

/** Returns the state of a booking. A check that names it counts as seated, even before the booking system says so. */
function stateOf({ reservation, phase }: Booking, check: LocalOrder | null): BookingState {
  if (reservation.status === "cancelled") return "cancelled";
  if (reservation.status === "no_show") return "noShow";
  if (reservation.status === "seated" || check !== null) return "seated";
  return phase === "late" || phase === "due" || phase === "upcoming" ? phase : "later";
}

/** Sorts tables: the smallest that has room first, then those too small, the largest first. */
export function tablesByRoom<T extends { seats: number }>(tables: readonly T[], guests: number): T[] {
  const fitting = tables.filter(({ seats }) => seats >= guests).toSorted((one, other) => one.seats - other.seats);
  const small = tables.filter(({ seats }) => seats < guests).toSorted((one, other) => other.seats - one.seats);
  return [...fitting, ...small];
}

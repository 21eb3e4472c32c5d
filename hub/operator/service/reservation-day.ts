import {
  inputIssues,
  Reservation,
  RESERVATIONS_PLUGIN,
  type RestaurantClock,
  restaurantClock,
  sentence,
  type OperatorReservation,
  type PluginRecord,
  type ReservationDay,
} from "@comanda/protocol";
import { describeIssues } from "../../platform/describe-issues.ts";

/** Returns a day's bookings in the restaurant's time zone, also those that terminals ignore, with the reason. */
export function readReservationDay(
  records: readonly PluginRecord[],
  about: {
    enabled: boolean;
    date: string | undefined;
    now: number;
    timeZone: string;
    hasTable: (tableId: number) => boolean;
  },
): ReservationDay {
  const { timeZone } = about;
  const clock = restaurantClock(timeZone);
  const date = about.date ?? clock.date(about.now);
  const reservations = records
    .filter((record) => record.pluginId === RESERVATIONS_PLUGIN)
    .map((record) => present(record, about.hasTable))
    .filter(({ booking, payload }) => isOn(date, booking?.at ?? payload["at"], clock))
    .sort((a, b) => Date.parse(a.booking?.at ?? "") - Date.parse(b.booking?.at ?? ""));
  return { enabled: about.enabled, date, timeZone, reservations };
}

function present(record: PluginRecord, hasTable: (tableId: number) => boolean): OperatorReservation {
  const { key, version, updatedAt, expiresAt, payload } = record;
  const parsed = Reservation.safeParse(payload);
  const common = { key, version, updatedAt, expiresAt, payload };
  if (!parsed.success) {
    const issues = inputIssues(parsed.error, payload);
    return { ...common, booking: null, problem: { words: describeIssues(parsed.error) }, issues };
  }
  const { tableId } = parsed.data;
  return {
    ...common,
    booking: parsed.data,
    problem: hasTable(tableId) ? null : sentence("booking_unknown_table", { tableId }),
  };
}

/** Whether a booking belongs to a date. One without a readable time belongs to every day, so that it is seen. */
function isOn(date: string, at: unknown, clock: RestaurantClock): boolean {
  const time = typeof at === "string" ? Date.parse(at) : NaN;
  return Number.isNaN(time) || clock.date(time) === date;
}

import {
  Reservation,
  RESERVATIONS_PLUGIN,
  type OperatorReservation,
  type PluginRecord,
  type ReservationDay,
} from "@comanda/protocol";
import { describeIssues } from "../platform/describe-issues.ts";

/** The bookings of a day in the hub's time zone, with those that terminals drop and why. */
export function readReservationDay(
  records: readonly PluginRecord[],
  about: { enabled: boolean; date: string | undefined; now: number; hasTable: (tableId: number) => boolean },
): ReservationDay {
  const date = about.date ?? localDate(new Date(about.now));
  const reservations = records
    .filter((record) => record.pluginId === RESERVATIONS_PLUGIN)
    .map((record) => present(record, about.hasTable))
    .filter(({ booking, payload }) => isOn(date, booking?.at ?? payload["at"]))
    .sort((a, b) => Date.parse(a.booking?.at ?? "") - Date.parse(b.booking?.at ?? ""));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { enabled: about.enabled, date, timeZone, reservations };
}

function present(record: PluginRecord, hasTable: (tableId: number) => boolean): OperatorReservation {
  const { key, version, updatedAt, expiresAt, payload } = record;
  const parsed = Reservation.safeParse(payload);
  const common = { key, version, updatedAt, expiresAt, payload };
  if (!parsed.success) return { ...common, booking: null, problem: describeIssues(parsed.error) };
  const { tableId } = parsed.data;
  return {
    ...common,
    booking: parsed.data,
    problem: hasTable(tableId) ? null : `the floor plan has no table ${tableId}`,
  };
}

/** A booking without a readable time belongs to every day: it must not go unseen. */
function isOn(date: string, at: unknown): boolean {
  const time = typeof at === "string" ? new Date(at) : null;
  return time === null || Number.isNaN(time.getTime()) || localDate(time) === date;
}

function localDate(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

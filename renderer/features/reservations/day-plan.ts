import { HOUR_MS, type OperatorReservation, type Reservation, type Said } from "@comanda/protocol";

/** How long a sitting is drawn; bookings do not say it. */
export const SITTING_MS = 1.5 * HOUR_MS;

export interface Booked {
  key: string;
  booking: Reservation;
  problem: Said | null;
  at: number;
  /** From when terminals show the table as booked. */
  from: number;
  /** Until when it is not late. */
  until: number;
}

export interface DayPlan {
  start: number;
  end: number;
  rows: { tableId: number; bookings: Booked[] }[];
}

/** The day by table: whole hours around all bookings, at least eight of them, tables in order. */
export function dayPlan(reservations: readonly OperatorReservation[], fallbackStart: number): DayPlan {
  const booked = reservations.flatMap(({ key, booking, problem }): Booked[] => {
    if (booking === null) return [];
    const at = Date.parse(booking.at);
    const from = at - booking.leadMinutes * 60_000;
    const until = at + booking.graceMinutes * 60_000;
    return [{ key, booking, problem, at, from, until }];
  });
  const first = Math.min(...booked.map((one) => one.from), Number.POSITIVE_INFINITY);
  const last = Math.max(...booked.map((one) => Math.max(one.at + SITTING_MS, one.until)), Number.NEGATIVE_INFINITY);
  const start = Math.floor((Number.isFinite(first) ? first : fallbackStart) / HOUR_MS) * HOUR_MS;
  const end = Math.max(
    Math.ceil((Number.isFinite(last) ? last : fallbackStart) / HOUR_MS) * HOUR_MS,
    start + 8 * HOUR_MS,
  );
  const byTable = Map.groupBy(booked, (one) => one.booking.tableId);
  const rows = [...byTable].map(([tableId, bookings]) => ({
    tableId,
    bookings: bookings.toSorted((a, b) => a.at - b.at),
  }));
  return { start, end, rows: rows.toSorted((a, b) => a.tableId - b.tableId) };
}

/** Hour marks within the plan, ms since 1970. */
export function hourMarks({ start, end }: Pick<DayPlan, "start" | "end">): number[] {
  return Array.from({ length: Math.round((end - start) / HOUR_MS) + 1 }, (_, hour) => start + hour * HOUR_MS);
}

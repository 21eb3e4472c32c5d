import { HOUR_MS, MINUTE_MS, type OperatorReservation, type Reservation, type Sentence } from "@comanda/protocol";

/** The drawn length of a sitting. Bookings do not contain it. */
const SITTING_MS = 1.5 * HOUR_MS;

export interface Booked {
  key: string;
  booking: Reservation;
  problem: Sentence | null;
  at: number;
  /** When terminals begin to show the table as booked. */
  from: number;
  /** Guests who arrive by then are not late. */
  until: number;
}

export interface DayPlan {
  start: number;
  end: number;
  rows: TableRow[];
}

interface TableRow {
  tableId: number;
  /** In order of time. Bookings in one lane do not overlap. */
  lanes: Booked[][];
}

/** Returns the bookings among the records of a day, by time. */
export function bookingsOf(reservations: readonly OperatorReservation[]): Booked[] {
  return reservations
    .flatMap(({ key, booking, problem }): Booked[] => {
      if (booking === null) return [];
      const at = Date.parse(booking.at);
      const from = at - booking.leadMinutes * MINUTE_MS;
      const until = at + booking.graceMinutes * MINUTE_MS;
      return [{ key, booking, problem, at, from, until }];
    })
    .toSorted((a, b) => a.at - b.at);
}

/** Returns the day by table, in whole hours (at least eight), without cancelled bookings and no-shows. Null if none is left. */
export function dayPlan(bookings: readonly Booked[]): DayPlan | null {
  const drawn = bookings.filter(({ booking: { status } }) => status !== "cancelled" && status !== "no_show");
  if (drawn.length === 0) return null;
  const first = Math.min(...drawn.map((one) => one.from));
  const last = Math.max(...drawn.map((one) => Math.max(endOf(one), one.until)));
  const start = Math.floor(first / HOUR_MS) * HOUR_MS;
  const end = Math.max(Math.ceil(last / HOUR_MS) * HOUR_MS, start + 8 * HOUR_MS);
  const byTable = Map.groupBy(drawn, (one) => one.booking.tableId);
  const rows = [...byTable].map(([tableId, tableRows]) => ({ tableId, lanes: lanesOf(tableRows) }));
  return { start, end, rows: rows.toSorted((a, b) => a.tableId - b.tableId) };
}

/** Returns when a drawn sitting ends. */
export function endOf({ at }: Pick<Booked, "at">): number {
  return at + SITTING_MS;
}

/** Puts each booking into the first lane that is free when it begins. */
function lanesOf(bookings: readonly Booked[]): Booked[][] {
  const lanes: Booked[][] = [];
  for (const booked of bookings) {
    const free = lanes.find((lane) => lane.every((other) => endOf(other) <= booked.at));
    if (free === undefined) lanes.push([booked]);
    else free.push(booked);
  }
  return lanes;
}

/** Returns the hour marks of the plan, in ms since 1970. */
export function hourMarks({ start, end }: Pick<DayPlan, "start" | "end">): number[] {
  return Array.from({ length: Math.round((end - start) / HOUR_MS) + 1 }, (_, hour) => start + hour * HOUR_MS);
}

import { addDays, DAY_MS } from "@comanda/protocol";

export const periodKinds = ["day", "week", "month"] as const;
type PeriodKind = (typeof periodKinds)[number];

/** Consecutive business days, YYYY-MM-DD, that have a common name: a day, week or month. */
export interface Period {
  kind: PeriodKind;
  from: string;
  through: string;
}

/** Returns the period of a kind that contains a day. Weeks begin on Mondays. */
export function periodOf(kind: PeriodKind, day: string): Period {
  const [year = "", month = ""] = day.split("-");
  if (kind === "day") return { kind, from: day, through: day };
  if (kind === "month") return { kind, from: `${year}-${month}-01`, through: lastOfMonth(Number(year), Number(month)) };
  const from = addDays(day, -((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7));
  return { kind, from, through: addDays(from, 6) };
}

/** Returns the period before or after. */
export function neighbourOf({ kind, from, through }: Period, by: -1 | 1): Period {
  return periodOf(kind, by === 1 ? addDays(through, 1) : addDays(from, -1));
}

/** Returns the period to compare with: the one before or, for a day, the same weekday of the week before. */
export function comparisonPeriod(period: Period): Period {
  return period.kind === "day" ? periodOf("day", addDays(period.from, -7)) : neighbourOf(period, -1);
}

/** Returns the name of a period in the screen's address. */
export function addressOf({ kind, from }: Period): string {
  return kind === "day" ? from : `${kind}-${from}`;
}

/** Returns the period that an address names, or null for any other text. */
export function readAddress(tab: string | undefined): Period | null {
  const found = /^(?:(week|month)-)?(\d{4}-\d{2}-\d{2})$/.exec(tab ?? "");
  const day = found?.[2];
  if (day === undefined || Number.isNaN(Date.parse(day))) return null;
  return periodOf((found?.[1] ?? "day") as PeriodKind, day);
}

/** Returns a period as the query of a request to the hub. */
export function queryOf({ kind, from, through }: Period): { day: string; through?: string } {
  return kind === "day" ? { day: from } : { day: from, through };
}

/** Returns every day of a period up to `last`. */
export function daysOf({ from, through }: Period, last: string): string[] {
  const end = through < last ? through : last;
  const count = (Date.parse(end) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(from, index));
}

function lastOfMonth(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

import { DAY_MS } from "@comanda/protocol";

/** The day so many days after a day, or before it, YYYY-MM-DD. */
export function addDays(day: string, by: number): string {
  return new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10);
}

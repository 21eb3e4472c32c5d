import { DAY_MS } from "@comanda/protocol";

const MINUTE_MS = 60_000;

/** When a local day (YYYY-MM-DD) begins and ends, ms since 1970. */
export function dayBounds(day: string, timeZone: string): { from: number; to: number } {
  const next = new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return { from: startOf(day, timeZone), to: startOf(next, timeZone) };
}

/** The local day of a time. */
export function dayOf(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(at);
}

/** Where a zone has two midnights on a day, or none, the first moment that is that day. */
function startOf(day: string, timeZone: string): number {
  const date = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const guess = Date.parse(`${day}T00:00:00Z`);
  let [before, after] = [guess - DAY_MS, guess + DAY_MS];
  while (after - before > MINUTE_MS) {
    const middle = Math.round((before + after) / 2 / MINUTE_MS) * MINUTE_MS;
    if (date.format(middle) < day) before = middle;
    else after = middle;
  }
  return after;
}

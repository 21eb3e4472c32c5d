import { DAY_MS, HOUR_MS, type Language } from "@comanda/protocol";
import { createContext, useContext } from "react";

/** The locale behind each language: both write money and dates as in the Dominican Republic. */
export const localeOf = { es: "es-DO", en: "en-US" } as const satisfies Record<Language, string>;

const MINUTE_MS = 60_000;

/** Formats values by Intl, in the given language. */
export function createFormat(language: Language, currency: string) {
  const locale = localeOf[language];
  const money = new Intl.NumberFormat(locale, { style: "currency", currency });
  const moneyShort = new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits: 0 });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const hourCycle = { hour: "numeric", minute: "2-digit" } as const;
  const time = new Intl.DateTimeFormat(locale, hourCycle);
  const timeExact = new Intl.DateTimeFormat(locale, { ...hourCycle, second: "2-digit" });
  const dateTime = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", ...hourCycle });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "full" });
  const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
  const hour = new Intl.DateTimeFormat(locale, { hour: "numeric" });
  const relative = new Intl.RelativeTimeFormat(locale, { style: "short", numeric: "always" });
  const list = new Intl.ListFormat(locale, { style: "long", type: "conjunction" });
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: 1 }).format(
      value,
    );

  /** 3 min, 2 h 5 min: at most two units */
  const duration = (ms: number) => {
    const seconds = Math.floor(ms / 1000);
    if (ms < 1000) return unit(Math.max(0, Math.round(ms)), "millisecond");
    if (seconds < 60) return unit(seconds, "second");
    if (ms < HOUR_MS) return unit(Math.floor(ms / MINUTE_MS), "minute");
    if (ms < DAY_MS) {
      const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
      const hours = unit(Math.floor(ms / HOUR_MS), "hour");
      return minutes === 0 ? hours : `${hours} ${unit(minutes, "minute")}`;
    }
    return unit(Math.floor(ms / DAY_MS), "day");
  };

  return {
    /** An amount in the currency of the point of sale. */
    money: (amount: number) => money.format(amount),
    /** A whole amount, for the large tiles. */
    moneyShort: (amount: number) => moneyShort.format(amount),
    number: (value: number) => number.format(value),
    /** 19:42 */
    time: (iso: string) => time.format(new Date(iso)),
    /** 19:42:07 */
    timeExact: (iso: string) => timeExact.format(new Date(iso)),
    /** 21 nov, 19:42 */
    dateTime: (iso: string) => dateTime.format(new Date(iso)),
    /** 21 nov 2026, of a day without a time: YYYY-MM-DD */
    date: (isoDay: string) => date.format(new Date(`${isoDay.slice(0, 10)}T12:00:00`)),
    /** viernes, 21 de noviembre de 2026 */
    day: (iso: string) => day.format(new Date(iso)),
    duration,
    /** The same for how long something has lasted: never below a second. */
    age: (ms: number) => duration(Math.max(1000, ms)),
    /** 3 min, 2.1 h: one unit, for small places */
    durationShort(ms: number) {
      if (ms < HOUR_MS) return unit(Math.max(0, Math.floor(ms / MINUTE_MS)), "minute");
      return ms < DAY_MS ? unit(ms / HOUR_MS, "hour") : unit(Math.floor(ms / DAY_MS), "day");
    },
    /** 7 p. m. */
    hour: (iso: string) => hour.format(new Date(iso)),
    /** hace 4 s */
    ago(iso: string, now: number) {
      const ms = Math.max(0, now - Date.parse(iso));
      if (ms < MINUTE_MS) return relative.format(-Math.floor(ms / 1000), "second");
      if (ms < HOUR_MS) return relative.format(-Math.floor(ms / MINUTE_MS), "minute");
      if (ms < DAY_MS) return relative.format(-Math.floor(ms / HOUR_MS), "hour");
      return relative.format(-Math.floor(ms / DAY_MS), "day");
    },
    bytes(count: number) {
      if (count < 1000) return unit(count, "byte");
      if (count < 1_000_000) return unit(count / 1000, "kilobyte");
      if (count < 1_000_000_000) return unit(count / 1_000_000, "megabyte");
      return unit(count / 1_000_000_000, "gigabyte");
    },
    list: (items: readonly string[]) => list.format(items),
  };
}

export type Format = ReturnType<typeof createFormat>;

export const FormatContext = createContext<Format>(createFormat("es", "DOP"));

export function useFormat(): Format {
  return useContext(FormatContext);
}

import { DAY_MS, HOUR_MS, type Language, MINUTE_MS } from "@comanda/protocol";
import { quantityText } from "@comanda/protocol/quantity-text.ts";
import { createContext, useContext } from "react";

/** The locale of each language. Both write money and dates as in the Dominican Republic. */
export const localeOf = { es: "es-DO", en: "en-US" } as const satisfies Record<Language, string>;

const PESOS = "DOP";

/** A time nearer than this is in the same night for those who work in it. */
const NEAR_MS = 6 * HOUR_MS;

/**
 * Creates the formats of a language, by Intl. Amounts are in pesos until the currency of the point of sale is known. Dates and
 * times are the restaurant's, wherever the reader is: in `timeZone`, or in this device's if it is absent.
 */
export function createFormat(language: Language, currencyCode = PESOS, timeZone?: string) {
  const locale = localeOf[language];
  // Intl accepts no other code, and a hub that has not read the menu yet has an empty one.
  const currency = /^[A-Za-z]{3}$/.test(currencyCode) ? currencyCode : PESOS;
  const money = moneyFormat(locale, currency, {});
  const moneyShort = moneyFormat(locale, currency, { maximumFractionDigits: 0 });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const hourCycle = { hour: "numeric", minute: "2-digit" } as const;
  const local = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    // No line breaks within "7:42 p. m."
    return (at: string | number) => formatter.format(new Date(at)).replaceAll(/ (?=[ap]?\.? ?m\b)/gi, "\u00a0");
  };
  const time = local(hourCycle);
  const timeExact = local({ ...hourCycle, second: "2-digit" });
  const dateTime = local({ day: "numeric", month: "short", ...hourCycle });
  const fullDateTime = local({ dateStyle: "medium", timeStyle: "short" });
  const day = local({ dateStyle: "full" });
  const hour = local({ hour: "numeric" });
  // A day without a time is the same in every time zone.
  const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  const days = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const dayNumber = (at: number) => Date.parse(days.format(at)) / DAY_MS;
  const dayWord = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const relative = new Intl.RelativeTimeFormat(locale, { style: "short", numeric: "always" });
  const list = new Intl.ListFormat(locale, { style: "long", type: "conjunction" });
  // Creating one costs a hundred times as much as formatting, and every age on a screen is formatted each second.
  const units = new Map<string, Intl.NumberFormat>();
  const unit = (value: number, name: string) => {
    let formatter = units.get(name);
    if (formatter === undefined) {
      // The short form of a day would be "dd." in Spanish.
      const unitDisplay = name === "day" || name === "byte" ? "long" : "short";
      formatter = new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay, maximumFractionDigits: 1 });
      units.set(name, formatter);
    }
    // The symbol, as in "hace 5 s": "seg." would be a second form of it, and its full stop does not end a sentence.
    return formatter.format(value).replace("seg.", "s");
  };

  /** 0.3 s, 3 min, 2 h 5 min: at most two units, and only those that people count in */
  const duration = (ms: number) => {
    const seconds = Math.floor(ms / 1000);
    if (ms < 1000) return unit(Math.max(0, Math.ceil(ms / 100) / 10), "second");
    if (seconds < 60) return unit(seconds, "second");
    if (ms < HOUR_MS) return unit(Math.floor(ms / MINUTE_MS), "minute");
    if (ms < DAY_MS) {
      const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
      const hours = unit(Math.floor(ms / HOUR_MS), "hour");
      return minutes === 0 ? hours : `${hours} ${unit(minutes, "minute")}`;
    }
    return unit(Math.floor(ms / DAY_MS), "day");
  };

  /** The time alone for today, with a word for yesterday or tomorrow, else with its date. */
  const near = (at: number, now: number, between: string) => {
    const days = dayNumber(at) - dayNumber(now);
    if (days === 0) return time(at);
    return Math.abs(days) === 1 ? dayWord.format(days, "day") + between + time(at) : dateTime(at);
  };

  return {
    /** Undefined means this device's. */
    timeZone,
    /** An amount in the currency of the point of sale. */
    money,
    /** A whole amount, for the large tiles. */
    moneyShort,
    /** An amount with its decimals only where it has any: RD$225, RD$85.50 */
    price: (amount: number) => (Number.isInteger(amount) ? moneyShort : money)(amount),
    number: (value: number) => number.format(value),
    /** How much of a dish, as on paper: 2, 1/3, 0.355 */
    quantity: (value: number) => quantityText(value, (each) => number.format(each)),
    /** 19:42 */
    time,
    /** 19:42:07 */
    timeExact,
    /** 21 nov, 19:42 */
    dateTime,
    /** 21 nov 2026, 19:42 */
    fullDateTime,
    /** 21 nov 2026, for a day without a time: YYYY-MM-DD */
    date: (isoDay: string) => date.format(new Date(isoDay.slice(0, 10))),
    /** 19:42 for today; ayer, 19:42; mañana, 9:00; else with the date */
    when: (iso: string, now: number) => near(Date.parse(iso), now, ", "),
    /** viernes, 21 de noviembre de 2026 */
    day,
    duration,
    /** Like `duration`, for how long something has lasted: at least a second. */
    age: (ms: number) => duration(Math.max(1000, ms)),
    /** 3 min, 2.1 h: one unit, for small places */
    durationShort(ms: number) {
      if (ms < HOUR_MS) return unit(Math.max(0, Math.floor(ms / MINUTE_MS)), "minute");
      return ms < DAY_MS ? unit(ms / HOUR_MS, "hour") : unit(Math.floor(ms / DAY_MS), "day");
    },
    /** For a time ahead: 19:42; mañana 9:00; 24 nov, 9:00. Without the day if it is only hours away, even past midnight */
    upcoming(iso: string, now: number) {
      const at = Date.parse(iso);
      return near(at, Math.abs(at - now) < NEAR_MS ? at : now, " ");
    },
    /** 7 p. m. */
    hour,
    /** hace 4 s */
    ago(iso: string, now: number) {
      const ms = Math.max(0, now - Date.parse(iso));
      const since = (unitMs: number, name: "second" | "minute" | "hour" | "day") =>
        relative.format(-Math.floor(ms / unitMs), name);
      if (ms < MINUTE_MS) return since(1000, "second");
      if (ms < HOUR_MS) return since(MINUTE_MS, "minute");
      return ms < DAY_MS ? since(HOUR_MS, "hour") : since(DAY_MS, "day");
    },
    /** A quantity of a unit, as Intl names it. */
    unit,
    list: (items: readonly string[]) => list.format(items),
  };
}

/** Formats amounts with the currency sign that is usual here, in both languages: `RD$`, and `US$` for dollars. */
function moneyFormat(locale: string, currency: string, options: Intl.NumberFormatOptions) {
  const sign = new Intl.NumberFormat(localeOf.es, { style: "currency", currency })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value;
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    ...options,
  });
  return (amount: number) =>
    format
      .formatToParts(amount)
      .map(({ type, value }) => (type === "currency" ? (sign ?? value) : value))
      .join("");
}

export type Format = ReturnType<typeof createFormat>;

export const FormatContext = createContext<Format>(createFormat("es"));

export function useFormat(): Format {
  return useContext(FormatContext);
}

/** Keeps a number that is called out or dialled on one line: its hyphens do not break. */
export function wholeNumber(number: string): string {
  return number.replaceAll("-", "\u2011");
}

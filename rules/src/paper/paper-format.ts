import { chargedQuantity } from "../payments/charged-lines.ts";
import { timeOf } from "../time.ts";

export type PaperFormat = ReturnType<typeof createPaperFormat>;

/** The spaces that Intl puts between a number and its sign are none that every printer has. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/gu, " ");

/** Numbers, amounts and times as they stand on paper here: 1,234.50, RD$1,234.50, 27-11-2026, 7:42 p. m. */
export function createPaperFormat({ currency, timeZone }: { currency: string; timeZone: string }) {
  const locale = "es-DO";
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const sign =
    new Intl.NumberFormat(locale, { style: "currency", currency })
      .formatToParts(0)
      .find(({ type }) => type === "currency")?.value ?? currency;
  const day = new Intl.DateTimeFormat(locale, { timeZone, day: "2-digit", month: "2-digit", year: "numeric" });
  const clock = new Intl.DateTimeFormat(locale, { timeZone, hour: "numeric", minute: "2-digit" });
  const seconds = new Intl.DateTimeFormat(locale, {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  const date = (iso: string): string => {
    // Another system's time in words of its own stays as it says.
    if (Number.isNaN(timeOf(iso))) return iso;
    const parts = new Map(day.formatToParts(timeOf(iso)).map(({ type, value }) => [type, value]));
    return `${parts.get("day")}-${parts.get("month")}-${parts.get("year")}`;
  };
  const time = (iso: string): string => plain(clock.format(timeOf(iso)));
  return {
    amount: (value: number): string => amount.format(value),
    money: (value: number): string => (value < 0 ? "-" : "") + sign + amount.format(Math.abs(value)),
    quantity: (value: number): string => number.format(value),
    /** How many of a line are charged. */
    charged: (line: Parameters<typeof chargedQuantity>[0]): string => number.format(chargedQuantity(line)),
    date,
    time,
    dateTime: (iso: string): string => `${date(iso)} ${time(iso)}`,
    /** 27-11-2026 19:42:07, as it was signed. */
    exactDateTime: (iso: string): string =>
      Number.isNaN(timeOf(iso)) ? iso : `${date(iso)} ${plain(seconds.format(timeOf(iso)))}`,
    /** 31-12-2027, of a day without a time: YYYY-MM-DD. */
    day: (isoDay: string): string => isoDay.slice(0, 10).split("-").toReversed().join("-"),
  };
}

import { quantityText } from "@comanda/protocol/quantity-text.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { timeOf } from "../time.ts";

export type PaperFormat = ReturnType<typeof createPaperFormat>;

/** Replaces the no-break spaces of Intl, which some printers lack. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/gu, " ");

/** Formats for paper: 1,234.50, RD$1,234.50, 27-11-2026, 7:42 p. m. */
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
    // A time from another system that cannot be parsed is printed as it is.
    if (Number.isNaN(timeOf(iso))) return iso;
    const parts = new Map(day.formatToParts(timeOf(iso)).map(({ type, value }) => [type, value]));
    return `${parts.get("day")}-${parts.get("month")}-${parts.get("year")}`;
  };
  const time = (iso: string): string => plain(clock.format(timeOf(iso)));
  const quantity = (value: number): string => quantityText(value, (each) => number.format(each));
  return {
    amount: (value: number): string => amount.format(value),
    money: (value: number): string => (value < 0 ? "-" : "") + sign + amount.format(Math.abs(value)),
    quantity,
    /** The charged quantity of a line. */
    charged: (line: Parameters<typeof chargedQuantity>[0]): string => quantity(chargedQuantity(line)),
    date,
    time,
    dateTime: (iso: string): string => `${date(iso)} ${time(iso)}`,
    /** The time of a signature: 27-11-2026 19:42:07. */
    exactDateTime: (iso: string): string =>
      Number.isNaN(timeOf(iso)) ? iso : `${date(iso)} ${plain(seconds.format(timeOf(iso)))}`,
    /** Formats a day without time, YYYY-MM-DD, as 31-12-2027. */
    day: (isoDay: string): string => isoDay.slice(0, 10).split("-").toReversed().join("-"),
  };
}

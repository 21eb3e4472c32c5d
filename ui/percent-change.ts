import type { Language } from "@comanda/protocol";
import { localeOf } from "./format.ts";

/** How much an amount is beside one before it, and beside 1 where that is less: +8.3 % */
export function percentChange(language: Language, now: number, before: number): string {
  const percent = new Intl.NumberFormat(localeOf[language], {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 1,
  });
  return percent.format((now - before) / Math.max(1, before));
}

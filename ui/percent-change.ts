import type { Language } from "@comanda/protocol";
import { localeOf } from "./format.ts";

/** Formats the change from `before` to `now`, such as +8.3 %. A `before` below 1 counts as 1. */
export function percentChange(language: Language, now: number, before: number): string {
  const percent = new Intl.NumberFormat(localeOf[language], {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 1,
  });
  return percent.format((now - before) / Math.max(1, before));
}

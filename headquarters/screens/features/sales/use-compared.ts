import type { HqSales } from "@comanda/protocol/headquarters.ts";
import { percentChange } from "@comanda/ui/percent-change.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { dayAndMonth } from "../../components/day-and-month.ts";
import { usePastSales, useTimeZone } from "../../lib/cache.ts";
import type { QueryOf } from "../../lib/hq.ts";
import { compareSales, daysBefore } from "./compare-sales.ts";
import { chainMoment } from "./sales-tools.tsx";
import { useHourName } from "./use-hour-name.ts";

export interface Compared {
  text: string;
  before: HqSales;
  /** Whether all of both ranges is compared. */
  isWhole: boolean;
}

/** Compares sales with those of the days before. Returns null until those are known, and if nothing was sold then. */
export function useCompared(query: QueryOf<"sales">, sales: HqSales | undefined): Compared | null {
  const { t, format, language } = useTranslation("sales");
  const hourName = useHourName();
  const moment = chainMoment(useTimeZone());
  const past = daysBefore(query);
  const { data: before } = usePastSales({ ...query, ...past }, past !== null);
  if (past === null || sales === undefined || before === undefined || query.to > moment.today) return null;
  const compared = compareSales({ ...query, sales }, { ...past, sales: before }, moment);
  if (compared === null) return null;
  const [from, to] = [dayAndMonth(format.date(past.from)), dayAndMonth(format.date(past.to))];
  const days = from === to ? t("beforeDay", { from }) : t("beforeDays", { from, to });
  const text = t(`compared.${compared.part}`, {
    days,
    hour: hourName(moment.hour),
    amount: format.moneyShort(compared.before),
    now: format.moneyShort(compared.now),
    whole: format.moneyShort(before.totals.paid),
    change: percentChange(language, compared.now, compared.before),
  });
  return { text, before, isWhole: compared.part === "whole" };
}

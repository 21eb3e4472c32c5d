import { DAY_MS, type SalesReport } from "@comanda/protocol";
import { subtract, sum } from "@comanda/rules";
import type { Period } from "./period.ts";

interface Figures {
  sales: number;
  checks: number;
}

interface Comparison {
  now: Figures;
  before: Figures;
  /** Only the ended days of the current period are compared, with as many days of the period before. */
  isPart: boolean;
}

type Counted = Pick<SalesReport, "totals" | "days" | "since" | "keptSince" | "today">;

/** Compares a period with the one before it, in days that are over. Null if there is nothing to compare. */
export function compareSales(period: Period, report: Counted, rival: Period, before: Counted): Comparison | null {
  const { today, keptSince } = report;
  // The period before is no longer stored completely.
  if (keptSince !== null && Date.parse(keptSince) > Date.parse(before.since)) return null;
  const isPart = period.through >= today;
  if (isPart && period.kind === "day") return null;
  const over = (Date.parse(today) - Date.parse(period.from)) / DAY_MS;
  const compared = {
    now: isPart ? firstDays(report, period, over) : whole(report),
    before: isPart ? firstDays(before, rival, over) : whole(before),
  };
  return compared.before.sales === 0 ? null : { ...compared, isPart };
}

function whole({ totals }: Counted): Figures {
  return { sales: subtract(totals.paidAmount, totals.refunds?.amount ?? 0), checks: totals.paidOrders };
}

/** Sums the first `count` days of a period, or all its days if it is shorter. */
function firstDays({ days }: Counted, { from }: Period, count: number): Figures {
  const end = Date.parse(from) + count * DAY_MS;
  const first = days.filter(({ day }) => Date.parse(day) < end);
  return {
    sales: sum(first.map(({ amount, refunded }) => subtract(amount, refunded))),
    checks: first.reduce((all, { checks }) => all + checks, 0),
  };
}

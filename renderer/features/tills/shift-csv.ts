import type { MethodId, ShiftReport } from "@comanda/protocol";
import type { Translate } from "@comanda/ui/translation.ts";
import { csvText, type CsvCell } from "@comanda/ui/csv.ts";

/** The names of things in the reader's language. */
interface ShiftLabels {
  t: Translate<"tills", "common">;
  method(methodId: MethodId): string;
  time(iso: string): string;
}

/** Returns reports as one table for a spreadsheet, with one line per fact and an empty line between two shifts. */
export function csvOf(reports: readonly ShiftReport[], labels: ShiftLabels): string {
  return csvText(
    reports.flatMap((report, index) => (index === 0 ? rowsOf(report, labels) : [[], ...rowsOf(report, labels)])),
  );
}

function rowsOf(report: ShiftReport, labels: ShiftLabels): CsvCell[][] {
  const { t, method, time } = labels;
  const { byMethod, tips, closedAt } = report;
  return [
    [t("till"), report.tillName],
    [t("shift"), report.id],
    [t("common:state"), t(`states.${report.state}`)],
    [t("opened"), time(report.openedAt), report.openedBy],
    [t("closed"), closedAt === null ? null : time(closedAt), report.closedBy],
    [t("approved"), report.approvedBy],
    [t("float"), report.float],
    ...report.floats.map(({ currency, amount }) => [t("float"), amount, currency]),
    [t("sales"), report.sales],
    ...(["refunds", "discounts", "voids", "comps"] as const).map((name) => {
      const { amount, count } = report[name];
      return [t(name), amount, count];
    }),
    (["method", "currency", "sales", "tips", "refunded", "foreign", "expected", "counted", "difference"] as const).map(
      (name) => t(name),
    ),
    ...byMethod.map(({ methodId, currency = "", ...each }) => [
      method(methodId),
      currency,
      each.sales,
      each.tips,
      each.refunded,
      each.foreign ?? 0,
      each.withCash ? t("withCash") : each.expected,
      each.counted,
      each.difference,
    ]),
    ...tips.map(({ userName, amount }) => [t("tips"), amount, userName]),
    ...eventsOf(report, labels),
  ];
}

function eventsOf({ moves, late }: ShiftReport, { t, time }: ShiftLabels): CsvCell[][] {
  return [
    ...moves.map(({ kind, amount, reason, at, by }) => [t(`move.${kind}`), amount, reason, time(at), by]),
    ...late.map(({ posReference, amount, tip, at, currency = "", foreignAmount = null }) => {
      return [t("late"), amount, tip, posReference, time(at), currency, foreignAmount];
    }),
  ];
}

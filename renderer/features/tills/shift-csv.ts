import type { ShiftReport } from "@comanda/protocol";
import { csvText, type CsvCell } from "../../lib/csv.ts";

/** Reports as one table for a spreadsheet: one line for each fact, and an empty one between two shifts. */
export function csvOf(reports: readonly ShiftReport[]): string {
  return csvText(reports.flatMap((report, index) => (index === 0 ? rowsOf(report) : [[], ...rowsOf(report)])));
}

function rowsOf(report: ShiftReport): CsvCell[][] {
  const { byMethod, moves, tips, late, refunds, discounts, voids, comps } = report;
  return [
    ["till", report.tillName],
    ["shift", report.id],
    ["state", report.state],
    ["opened", report.openedAt, report.openedBy],
    ["closed", report.closedAt, report.closedBy, report.approvedBy],
    ["float", report.float],
    ...report.floats.map(({ currency, amount }) => ["float", amount, currency]),
    ["sales", report.sales],
    ["method", "currency", "sales", "tips", "refunded", "expected", "counted", "difference"],
    ...byMethod.map(({ methodId, currency = "", ...each }) => [
      methodId,
      currency,
      each.sales,
      each.tips,
      each.refunded,
      each.expected,
      each.counted,
      each.difference,
    ]),
    ...Object.entries({ refunds, discounts, voids, comps }).map(([name, { count, amount }]) => [name, count, amount]),
    ...tips.map(({ userName, amount }) => ["tip", userName, amount]),
    ...moves.map(({ kind, amount, reason, at, by }) => [kind, amount, reason, at, by]),
    ...late.map(({ posReference, amount, tip, at, currency = "", foreignAmount = null }) => {
      return ["late", posReference, amount, tip, at, currency, foreignAmount];
    }),
  ];
}

import type { MethodId, SalesReport } from "@comanda/protocol";
import { subtract } from "@comanda/rules";
import type { Translate } from "@comanda/ui/translation.ts";
import { csvText, type CsvCell } from "@comanda/ui/csv.ts";

type Word = Parameters<Translate<"today", "common">>[0];

/** The names of things in the reader's language. */
export interface SalesLabels {
  section(name: Word | "taxes"): string;
  column(name: Word): string;
  dish(productId: string | null): string;
  method(methodId: MethodId): string;
  unnamed: string;
  time(iso: string): string;
  /** Net sales, each tax, and the sum, as the screen shows them. */
  parts: readonly { name: string; amount: number }[];
}

/** Returns the sales of a day as spreadsheet tables, one below the other. Amounts are plain numbers. */
export function salesCsv(report: SalesReport, labels: SalesLabels): string {
  const { column, unnamed } = labels;
  const section = (
    name: Word | "taxes",
    columns: readonly Word[],
    rows: readonly (readonly CsvCell[])[],
  ): (readonly CsvCell[])[] =>
    rows.length === 0
      ? []
      : [[labels.section(name)], ...(columns.length > 0 ? [columns.map((each) => column(each))] : []), ...rows, []];
  const net = ({ amount, refunded = 0 }: { amount: number; refunded?: number | undefined }) => [
    amount,
    refunded,
    subtract(amount, refunded),
  ];
  const reductionCells = (name: "discounts" | "voids" | "comps") => [
    ...section(
      name,
      ["common:reason", "count", "common:amount"],
      report[name].byReason.map((each) => [each.name, each.count, each.amount]),
    ),
    ...section(
      name,
      ["common:who", "count", "common:amount"],
      report[name].byPerson.map((each) => [each.name ?? unnamed, each.count, each.amount]),
    ),
  ];
  return csvText([
    [report.day ?? report.today, labels.time(report.since), labels.time(report.until ?? report.asOf)],
    [],
    ...section(
      "taxes",
      [],
      labels.parts.map(({ name, amount }) => [name, amount]),
    ),
    ...section(
      "byMethod",
      ["method", "payments", "common:amount", "refunded", "net", "tips"],
      report.totals.byMethod.map((each) => [labels.method(each.methodId), each.payments, ...net(each), each.tips ?? 0]),
    ),
    ...section(
      "byHour",
      ["hour", "checks", "common:guests", "common:amount", "refunded", "net", "tips"],
      report.hours.map((each) => [labels.time(each.from), each.checks, each.guests, ...net(each), each.tips]),
    ),
    ...section(
      "byDay",
      ["kind.day", "checks", "common:guests", "common:amount", "refunded", "net", "tips"],
      report.days.map((each) => [each.day, each.checks, each.guests, ...net(each), each.tips]),
    ),
    ...section(
      "byWaiter",
      ["common:role.waiter", "checks", "common:guests", "common:amount", "refunded", "net", "tips"],
      report.waiters.map((each) => [each.name ?? unnamed, each.checks, each.guests, ...net(each), each.tips]),
    ),
    ...section(
      "byDish",
      ["dish", "quantity", "common:amount", "refunded", "net"],
      report.dishes.map((each) => [
        labels.dish(each.productId),
        subtract(each.quantity, each.refundedQuantity),
        ...net(each),
      ]),
    ),
    ...(["discounts", "voids", "comps"] as const).flatMap(reductionCells),
    ...section(
      "refunds",
      ["common:order", "common:when", "common:who", "common:reason", "common:amount"],
      report.refunds.map(({ posReference, at, by, reason, amount }) => [
        posReference,
        labels.time(at),
        by,
        reason,
        amount,
      ]),
    ),
  ]);
}

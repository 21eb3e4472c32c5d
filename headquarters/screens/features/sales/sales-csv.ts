import type { HqSales } from "@comanda/protocol/headquarters.ts";
import { type CsvCell, csvText } from "@comanda/ui/csv.ts";
import type { Translate } from "@comanda/ui/translation.ts";
import { compareRestaurants } from "./compare-sales.ts";
import { dishName } from "./dish-name.ts";

type Row = readonly CsvCell[];

/**
 * Returns sales as tables for a spreadsheet, one below the other, under the rows `about`. Amounts are plain numbers. `before`:
 * the sales that they are compared with.
 */
export function salesCsv(
  sales: HqSales,
  before: HqSales | null,
  about: readonly Row[],
  t: Translate<"sales", "common" | "now" | "shell">,
): string {
  const { totals, hours, days, products, otherProducts } = sales;
  const table = (name: string, heads: Row, rows: readonly Row[]): Row[] =>
    rows.length === 0 ? [] : [[], [name], heads, ...rows];
  const [paidHead, checksHead] = [t("now:sold"), t("checksHead")];
  const dishes = products.map((dish): Row => [dishName(dish, t("noDish")), dish.quantity, dish.amount]);
  const { count, amount } = otherProducts;
  const others = count === 0 ? [] : [[t("others", { count }), null, amount]];
  return csvText([
    ...about,
    [],
    [paidHead, checksHead, t("guestsHead"), t("discounts"), t("refunded"), t("voids")],
    [totals.paid, totals.checks, totals.guests, totals.discounts, totals.refunded, totals.voids],
    ...table(
      t("byHour"),
      [t("hour"), checksHead, paidHead],
      hours.map(({ hour, checks, paid }) => [`${hour}:00`, checks, paid]),
    ),
    ...table(
      t("byDay"),
      [t("day"), checksHead, paidHead],
      days.map(({ day, checks, paid }) => [day, checks, paid]),
    ),
    ...table(t("byDish"), [t("dish"), t("quantity"), t("amount")], [...dishes, ...others]),
    ...table(
      t("byRestaurant"),
      [t("now:restaurant"), checksHead, paidHead, ...(before === null ? [] : [t("beforeHead")])],
      compareRestaurants(sales, before).map((row) => [
        row.name,
        row.checks,
        row.paid,
        ...(before === null ? [] : [row.before]),
      ]),
    ),
  ]);
}

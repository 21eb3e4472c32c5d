import { ActButton } from "@comanda/ui/act-button.tsx";
import { percentChange } from "@comanda/ui/percent-change.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState, type ReactNode } from "react";
import { Link } from "wouter";
import type { AnswerOf } from "../../lib/hq.ts";
import type { compareRestaurants } from "./compare-sales.ts";
import { dishName } from "./dish-name.ts";

type Sales = AnswerOf<"sales">;

const FIRST = 20;

export function DishTable({ products, others }: { products: Sales["products"]; others: Sales["otherProducts"] }) {
  const { t, format } = useTranslation("sales");
  return (
    <RankTable
      title={t("byDish")}
      heads={[t("dish"), t("quantity"), t("amount")]}
      rows={products.map(({ quantity, amount, ...dish }) => ({
        key: dish.productId,
        value: amount,
        cells: [dishName(dish, t("noDish")), format.number(quantity), format.moneyShort(amount)],
      }))}
    >
      {others.count > 0 && (
        <p className="soft">{t("otherDishes", { count: others.count, amount: format.moneyShort(others.amount) })}</p>
      )}
    </RankTable>
  );
}

export function RestaurantTable({ restaurants }: { restaurants: ReturnType<typeof compareRestaurants> }) {
  const { t, format, language } = useTranslation(["sales", "now"]);
  return (
    <RankTable
      title={t("byRestaurant")}
      heads={[t("now:restaurant"), t("checksHead"), t("amount")]}
      rows={restaurants.map(({ id, name, checks, paid, before }) => ({
        key: id,
        value: paid,
        cells: [
          <Link key={id} href={`/restaurants/${id}`}>
            {name}
          </Link>,
          format.number(checks),
          <>
            {format.moneyShort(paid)}
            {before !== null && before !== 0 && <div className="soft">{percentChange(language, paid, before)}</div>}
          </>,
        ],
      }))}
    />
  );
}

interface RankRow {
  key: string;
  value: number;
  cells: readonly ReactNode[];
}

/** A table of sorted rows with a bar behind each. Shows the first 20 until all are requested. */
function RankTable({
  title,
  heads,
  rows,
  children,
}: {
  title: string;
  heads: readonly string[];
  rows: readonly RankRow[];
  children?: ReactNode;
}) {
  const { t } = useTranslation("sales");
  const [isWhole, setWhole] = useState(false);
  const max = Math.max(...rows.map(({ value }) => value), 1);
  const shown = isWhole ? rows : rows.slice(0, FIRST);
  return (
    <section className="card">
      <h2>{title}</h2>
      <table className="rank">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, value, cells }) => (
            <tr key={key} style={{ "--share": `${Math.max(0, (value / max) * 100)}%` } as object}>
              {cells.map((cell, index) => (
                <td key={index} className={index === 0 ? undefined : "num"}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <ActButton kind="quiet" onAct={() => setWhole(true)}>
          {t("showAll", { count: rows.length })}
        </ActButton>
      )}
      {children}
    </section>
  );
}

import { ActButton } from "@comanda/ui/act-button.tsx";
import { saveFile } from "@comanda/ui/save-file.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { BarCard } from "../../components/bars.tsx";
import { CoverageLine, useCoverageText } from "../../components/coverage-line.tsx";
import { dayAndMonth } from "../../components/day-and-month.ts";
import { Failure } from "../../components/failure.tsx";
import { Tile } from "../../components/tile.tsx";
import { useSearchParams } from "../../lib/address.ts";
import { useSales, useTimeZone } from "../../lib/cache.ts";
import type { AnswerOf, QueryOf } from "../../lib/hq.ts";
import { compareRestaurants } from "./compare-sales.ts";
import { salesCsv } from "./sales-csv.ts";
import { DishTable, RestaurantTable } from "./sales-tables.tsx";
import { chainMoment, SalesTools } from "./sales-tools.tsx";
import { useCompared, type Compared } from "./use-compared.ts";
import { useHourName } from "./use-hour-name.ts";

/** Sales by day, hour, dish and restaurant. The selection is in the address. */
export function SalesScreen() {
  const { t } = useTranslation(["sales", "common", "shell"]);
  const { today } = chainMoment(useTimeZone());
  const [params, ask] = useSearchParams();
  const { from = today, to = today, group, restaurant } = params;
  const query = { from, to, group, restaurant };
  const { data, error, isPlaceholderData } = useSales(query);
  const current = isPlaceholderData ? undefined : data;
  const compared = useCompared(query, current);
  return (
    <>
      <h1>{t("shell:sales")}</h1>
      <SalesTools query={query} onChange={(part) => ask({ ...query, ...part })}>
        <CsvButton sales={current} compared={compared} query={query} />
      </SalesTools>
      <Failure error={error} />
      {data === undefined && error === null && <p className="soft">{t("common:loading")}</p>}
      {data !== undefined && (
        <div className="figures" data-stale={isPlaceholderData}>
          <CoverageLine coverage={data.coverage} />
          <Figures sales={data} compared={compared} />
        </div>
      )}
    </>
  );
}

/** Downloads the shown sales as CSV for a spreadsheet. */
function CsvButton({
  sales,
  compared,
  query,
}: {
  sales: AnswerOf<"sales"> | undefined;
  compared: Compared | null;
  query: QueryOf<"sales">;
}) {
  const { t } = useTranslation(["sales", "common", "now", "shell"]);
  const coverageText = useCoverageText();
  const { from, to, group } = query;
  function save(): void {
    if (sales === undefined) return;
    const about = [
      [from, to],
      ...(group ? [[t("common:group"), group]] : []),
      [coverageText(sales.coverage)],
      ...(compared === null ? [] : [[compared.text, coverageText(compared.before.coverage)]]),
    ];
    const csv = new Blob([salesCsv(sales, beforeOf(compared), about, t)], { type: "text/csv" });
    saveFile(csv, `${t("shell:sales").toLowerCase()}-${from}-${to}.csv`);
  }
  return (
    <ActButton disabled={sales === undefined} onAct={save}>
      {t("csv")}
    </ActButton>
  );
}

/** Returns the sales to compare each restaurant with, or null unless all of both ranges is compared. */
const beforeOf = (compared: Compared | null) => (compared?.isWhole === true ? compared.before : null);

function Figures({ sales, compared }: { sales: AnswerOf<"sales">; compared: Compared | null }) {
  const { t, format } = useTranslation("sales");
  const hourName = useHourName();
  const { totals, days, hours, products, otherProducts } = sales;
  const restaurants = compareRestaurants(sales, beforeOf(compared));
  const describe = (paid: number, checks: number) =>
    `${format.moneyShort(paid)}, ${t("checks", { count: checks, amount: format.number(checks) })}`;
  return (
    <>
      <Totals totals={totals} />
      {compared !== null && <ComparedLine compared={compared} />}
      {totals.checks === 0 && <p className="empty">{t("none")}</p>}
      {hours.length > 0 && (
        <BarCard
          title={t("byHour")}
          bars={hours.map(({ hour, paid, checks }) => ({
            key: String(hour),
            label: hourName(hour),
            value: paid,
            text: describe(paid, checks),
          }))}
        />
      )}
      {days.length > 1 && (
        <BarCard
          title={t("byDay")}
          bars={days.map(({ day, paid, checks }) => ({
            key: day,
            label: dayAndMonth(format.date(day)),
            value: paid,
            text: describe(paid, checks),
          }))}
        />
      )}
      <div className="two-columns">
        {products.length > 0 && <DishTable products={products} others={otherProducts} />}
        {restaurants.length > 1 && <RestaurantTable restaurants={restaurants} />}
      </div>
    </>
  );
}

/** The comparison with the days before, with the restaurants that are missing there. */
function ComparedLine({ compared: { text, before } }: { compared: Compared }) {
  const { behind, holes } = before.coverage;
  return (
    <section className="card">
      <p>{text}</p>
      {behind.length + holes.length > 0 && <CoverageLine coverage={before.coverage} />}
    </section>
  );
}

function Totals({ totals }: { totals: AnswerOf<"sales">["totals"] }) {
  const { t, format } = useTranslation(["sales", "now"]);
  const { checks, guests, paid, refunded, discounts, voids } = totals;
  return (
    <div className="tiles">
      <Tile
        name={t("now:sold")}
        value={format.moneyShort(paid)}
        more={t("checks", { count: checks, amount: format.number(checks) })}
      />
      <Tile
        name={t("average")}
        value={format.moneyShort(checks === 0 ? 0 : paid / checks)}
        more={t("guests", { count: guests, amount: format.number(guests) })}
      />
      <Tile name={t("discounts")} value={format.moneyShort(discounts)} />
      <Tile name={t("refunded")} value={format.moneyShort(refunded)} />
      <Tile name={t("voids")} value={format.moneyShort(voids)} />
    </div>
  );
}

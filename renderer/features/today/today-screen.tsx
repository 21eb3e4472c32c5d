import { Button } from "@mantine/core";
import type { SalesReport } from "@comanda/protocol";
import { proportionOf, subtract, sum } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Screen } from "../../components/screen.tsx";
import { SoldParts } from "../../components/sold-parts.tsx";
import { Tile } from "../../components/tile.tsx";
import { useHub } from "../../lib/hub.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { DishTable, MethodTable, WaiterTable } from "./sold-tables.tsx";
import { HourChart } from "./hour-chart.tsx";
import { RefundPanel, TakenOffPanel } from "./taken-off-panels.tsx";
import "./today.css";

/** What the business day has sold, counted as the closing counts it. */
export default function TodayScreen() {
  const { t } = useTranslation("today");
  const sales = useHub("sales");
  return (
    <Screen
      title={t("title")}
      about={useAbout(sales.data)}
      actions={
        <Button variant="default" component={Link} href="/back-office/closing">
          {t("toClosing")}
        </Button>
      }
    >
      <Loaded query={sales} height={320}>
        {(report) =>
          report.totals.paidOrders === 0 && report.refunds.length === 0 ? (
            <Nothing report={report} />
          ) : (
            <Day report={report} />
          )
        }
      </Loaded>
    </Screen>
  );
}

function useAbout(report: SalesReport | undefined): string {
  const { t } = useTranslation("today");
  const format = useFormat();
  const now = useNow();
  if (report === undefined) return t("loadingAbout");
  const since = format.when(report.since, now);
  if (report.session === null) return t("aboutClosed", { since });
  const { name } = report.session;
  return name === null ? t("aboutOpen", { since }) : t("aboutSession", { name, since });
}

function Nothing({ report }: { report: SalesReport }) {
  const { t } = useTranslation("today");
  return (
    <>
      <div className="card">
        <Empty
          title={t("nothingTitle")}
          action={
            <Button component={Link} href="/orders">
              {t("toOrders")}
            </Button>
          }
        >
          {t("nothing")}
        </Empty>
      </div>
      {report.voids.count > 0 && <TakenOffPanel kind="voids" list={report.voids} />}
    </>
  );
}

function Day({ report }: { report: SalesReport }) {
  const { t } = useTranslation("today");
  const { t: sold } = useTranslation("sales");
  const { voids, discounts, refunds } = report;
  const takenOff = [
    { count: voids.count, panel: <TakenOffPanel key="voids" kind="voids" list={voids} /> },
    { count: discounts.count, panel: <TakenOffPanel key="discounts" kind="discounts" list={discounts} /> },
    { count: refunds.length, panel: <RefundPanel key="refunds" refunds={refunds} /> },
  ];
  return (
    <div className="stack">
      <Tiles report={report} />
      {report.unreadable > 0 && <p role="alert">{t("unreadable", { count: report.unreadable })}</p>}
      <div className="panel-grid">
        <Panel title={t("byHour")} about={t("byHourAbout")}>
          <HourChart hours={report.hours} />
        </Panel>
        <Panel title={sold("title")} about={sold("about")}>
          <SoldParts sales={report} />
        </Panel>
      </div>
      <div className="panel-grid">
        <MethodTable totals={report.totals} />
        <WaiterTable waiters={report.waiters} />
      </div>
      <DishTable dishes={report.dishes} />
      {takenOff.filter(({ count }) => count > 0).map(({ panel }) => panel)}
      <div className="panel-grid">{takenOff.filter(({ count }) => count === 0).map(({ panel }) => panel)}</div>
    </div>
  );
}

function Tiles({ report: { totals, waiters, discounts, voids } }: { report: SalesReport }) {
  const { t } = useTranslation("today");
  const format = useFormat();
  const { paidOrders, paidAmount, refunds, tips = 0 } = totals;
  const guests = sum(waiters.map((waiter) => waiter.guests));
  const perEach = (count: number) => format.money(count === 0 ? 0 : proportionOf(paidAmount, 1, count));
  return (
    <div className="tiles">
      <Tile
        name={t("sales")}
        value={format.money(subtract(paidAmount, refunds?.amount ?? 0))}
        note={refunds === undefined ? t("withTaxes") : t("afterRefunds", { amount: format.money(refunds.amount) })}
        tone="good"
      />
      <Tile
        name={t("checks")}
        value={format.number(paidOrders)}
        note={t("average", { amount: perEach(paidOrders) })}
        tone="good"
      />
      <Tile
        name={t("guests")}
        value={format.number(guests)}
        note={t("perGuest", { amount: perEach(guests) })}
        tone="good"
      />
      <Tile name={t("tips")} value={format.money(tips)} note={t("besides")} tone="good" />
      <Tile
        name={t("takenOff")}
        value={format.money(discounts.amount)}
        note={t("times", { count: discounts.count })}
        tone="good"
      />
      <Tile
        name={t("voided")}
        value={format.money(voids.amount)}
        note={t("times", { count: voids.count })}
        tone="good"
      />
    </div>
  );
}

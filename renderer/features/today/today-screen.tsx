import { Button, SegmentedControl } from "@mantine/core";
import type { SalesReport } from "@comanda/protocol";
import { proportionOf, subtract, sum } from "@comanda/rules";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link, useLocation } from "wouter";
import { DayTools } from "../../components/day-tools.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { Screen, type TabProps } from "../../components/layout/screen.tsx";
import { CsvButton, PrintButton } from "../../components/report-buttons.tsx";
import { SoldParts, useSoldParts } from "../../components/sold-parts.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Tile } from "../../components/layout/tile.tsx";
import { csvTime } from "@comanda/ui/csv.ts";
import { useNow } from "../../lib/hub-time.ts";
import { DishTable, MethodTable, WaiterTable } from "./sold-tables.tsx";
import { DayChart } from "./day-chart.tsx";
import { HourChart } from "./hour-chart.tsx";
import { RefundPanel, ReductionPanel } from "./reduction-panels.tsx";
import { useMethodName } from "../../components/labels.ts";
import { liveSales, salesOfDays } from "./sales-query.ts";
import { salesCsv } from "./sales-csv.ts";
import { addressOf, neighbourOf, type Period, periodKinds, periodOf, readAddress, comparisonPeriod } from "./period.ts";
import { useDishName } from "./use-dish-name.ts";
import { usePeriodName } from "./use-period-name.ts";
import { percentChange } from "@comanda/ui/percent-change.ts";
import { compareSales } from "./compare-sales.ts";
import "./today.css";

/** The sales of the session, counted as in the closing, or of any stored day, week or month that the address names. */
export default function TodayScreen({ tab }: TabProps) {
  const { t } = useTranslation("today");
  const period = readAddress(tab);
  const sales = useSales(period);
  const csvOf = useSalesCsv();
  const report = sales.data;
  const shown = report === undefined ? null : periodShown(report);
  return (
    <Screen
      title={useTitle(report)}
      about={useAbout(report)}
      actions={
        <>
          <PeriodTools period={period} today={report?.today} />
          <PrintButton />
          {report !== undefined && (
            <CsvButton
              file={`${t("file")}-${shown === null ? report.today : addressOf(shown)}`}
              csv={() => csvOf(report)}
            />
          )}
          <Button variant="default" component={Link} href="/back-office/closing">
            {t("toClosing")}
          </Button>
        </>
      }
    >
      {sales.isPlaceholderData && (
        <p role="status" className="no-margin">
          <StatusMark tone="idle">{t("counting")}</StatusMark>
        </p>
      )}
      <Loaded query={sales} height={320}>
        {(read) => <Sold report={read} period={periodShown(read)} />}
      </Loaded>
    </Screen>
  );
}

/** Reads the sales of a period. The previous ones stay until they are read. */
function useSales(period: Period | null): UseQueryResult<SalesReport> {
  const options = period === null || period.kind === "day" ? liveSales(period) : salesOfDays(period);
  return useQuery<SalesReport>({ ...options, placeholderData: keepPreviousData });
}

/** Chooses the session, or a day, week or month. */
function PeriodTools({ period, today }: { period: Period | null; today: string | undefined }) {
  const { t } = useTranslation("today");
  const [, go] = useLocation();
  const open = (next: Period) => go(`/today/${addressOf(next)}`);
  const day = period?.from ?? today ?? "";
  const kind = period?.kind ?? "day";
  return (
    <>
      <SegmentedControl
        aria-label={t("span")}
        disabled={day === ""}
        value={period?.kind ?? ""}
        data={periodKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        // If the shown period contains today, the chosen kind opens at today, not at the period's first day.
        onChange={(next) => {
          if (next === "") return;
          const isNow = period !== null && today !== undefined && period.from <= today && today <= period.through;
          open(periodOf(next, isNow ? today : day));
        }}
      />
      <DayTools
        day={day}
        end={period?.through ?? day}
        last={today}
        nowLabel={t("sinceOpening")}
        onChoose={(next) => (next === null ? go("/today") : open(periodOf(kind, next)))}
        step={
          period === null || kind === "day"
            ? undefined
            : { previous: t("previous"), next: t("next"), go: (by) => open(neighbourOf(period, by)) }
        }
      />
    </>
  );
}

function periodShown({ day, through }: SalesReport): Period | null {
  if (day === null) return null;
  if (through === null) return periodOf("day", day);
  return periodKinds.map((kind) => periodOf(kind, day)).find((period) => period.through === through) ?? null;
}

function useTitle(report: SalesReport | undefined): string {
  const { t } = useTranslation("today");
  const { long } = usePeriodName();
  const period = report === undefined ? null : periodShown(report);
  if (period === null) return t("title");
  return period.kind === "day" ? t("titleOfDay", { day: long(period) }) : t("titleOf", { span: long(period) });
}

function useAbout(report: SalesReport | undefined): string {
  const { t, format } = useTranslation("today");
  const now = useNow();
  if (report === undefined) return t("loadingAbout");
  if (report.until !== null && report.through !== null) {
    return t("aboutPeriod", { from: format.fullDateTime(report.since), until: format.fullDateTime(report.until) });
  }
  if (report.until !== null) {
    return t("aboutDay", { from: format.time(report.since), until: format.time(report.until) });
  }
  const since = format.when(report.since, now);
  if (report.session === null) return t("aboutClosed", { since });
  const { name } = report.session;
  return name === null ? t("aboutOpen", { since }) : t("aboutSession", { name, since });
}

interface SoldProps {
  report: SalesReport;
  period: Period | null;
}

function Sold({ report, period }: SoldProps) {
  const { t, format } = useTranslation("today");
  const { since, until, keptSince, totals, refunds, through } = report;
  const isCut = until !== null && keptSince !== null && Date.parse(keptSince) > Date.parse(since);
  const storedSince = isCut ? format.fullDateTime(keptSince) : null;
  if (totals.paidOrders === 0 && refunds.length === 0) return <NothingSold report={report} storedSince={storedSince} />;
  return (
    <>
      {storedSince !== null && (
        <p role="status">
          <StatusMark tone="warn">
            {t(through === null ? "partlyKept" : "partlyKeptOf", { since: storedSince })}
          </StatusMark>
        </p>
      )}
      <Day report={report} period={period} />
    </>
  );
}

/** `storedSince`: since when sales are stored, if the period is not stored completely. */
function NothingSold({ report, storedSince }: { report: SalesReport; storedSince: string | null }) {
  const { t } = useTranslation("today");
  const { day, today, through, voids } = report;
  function texts(): { title: string; about: string } {
    if (storedSince !== null) return { title: t("notKeptTitle"), about: t("notKept", { since: storedSince }) };
    if (through !== null) return { title: t("nothingThen"), about: t("nothingThatDayAbout") };
    if (day !== null && day !== today) return { title: t("nothingThatDay"), about: t("nothingThatDayAbout") };
    return { title: t("nothingTitle"), about: t("nothing") };
  }
  const { title, about } = texts();
  return (
    <>
      <div className="card">
        <Empty title={title} way={{ to: "/orders", label: t("toOrders") }}>
          {about}
        </Empty>
      </div>
      {voids.count > 0 && <ReductionPanel kind="voids" list={voids} />}
    </>
  );
}

function Day({ report, period }: SoldProps) {
  const { t } = useTranslation(["today", "sales"]);
  const { voids, comps, discounts, refunds } = report;
  const reductions = [
    { count: voids.count, panel: <ReductionPanel key="voids" kind="voids" list={voids} /> },
    { count: comps.count, panel: <ReductionPanel key="comps" kind="comps" list={comps} /> },
    { count: discounts.count, panel: <ReductionPanel key="discounts" kind="discounts" list={discounts} /> },
    { count: refunds.length, panel: <RefundPanel key="refunds" refunds={refunds} /> },
  ];
  return (
    <div className="stack">
      <Tiles report={report} />
      {period !== null && <Compared period={period} report={report} />}
      {report.unreadable > 0 && <p role="alert">{t("unreadable", { count: report.unreadable })}</p>}
      <div className="panel-grid">
        {period === null || report.through === null ? (
          <Panel title={t("byHour")} about={t("byHourAbout")}>
            <HourChart hours={report.hours} />
          </Panel>
        ) : (
          <Panel title={t("byDay")} about={t("byDayAbout")}>
            <DayChart period={period} report={report} />
          </Panel>
        )}
        <Panel title={t("sales:title")} about={t("sales:about")}>
          <SoldParts sales={report} />
        </Panel>
      </div>
      <div className="panel-grid">
        <MethodTable totals={report.totals} />
        <WaiterTable waiters={report.waiters} />
      </div>
      <DishTable dishes={report.dishes} />
      {reductions.filter(({ count }) => count > 0).map(({ panel }) => panel)}
      <div className="panel-grid">{reductions.filter(({ count }) => count === 0).map(({ panel }) => panel)}</div>
    </div>
  );
}

function Tiles({ report: { totals, waiters, discounts, voids, through } }: { report: SalesReport }) {
  const { t, format } = useTranslation(["today", "common"]);
  // A month may reach millions, and the list of its taxes shows the cents.
  const money = through === null ? format.money : format.moneyShort;
  const { paidOrders, paidAmount, refunds, tips = 0 } = totals;
  const guests = sum(waiters.map((waiter) => waiter.guests));
  const averageOf = (count: number) => format.money(count === 0 ? 0 : proportionOf(paidAmount, 1, count));
  return (
    <div className="chips tiles">
      <Tile
        name={t("sales")}
        value={money(subtract(paidAmount, refunds?.amount ?? 0))}
        note={refunds === undefined ? t("withTaxes") : t("afterRefunds", { amount: format.money(refunds.amount) })}
      />
      <Tile
        name={t("checks")}
        value={format.number(paidOrders)}
        note={t("average", { amount: averageOf(paidOrders) })}
      />
      <Tile
        name={t("common:guests")}
        value={format.number(guests)}
        note={t("perGuest", { amount: averageOf(guests) })}
      />
      <Tile name={t("tips")} value={money(tips)} note={t("besides")} />
      <Tile name={t("discounts")} value={money(discounts.amount)} note={t("times", { count: discounts.count })} />
      <Tile name={t("voided")} value={money(voids.amount)} note={t("times", { count: voids.count })} />
    </div>
  );
}

/** Returns a function that writes a report as a spreadsheet file, in the words of the screen. */
function useSalesCsv(): (report: SalesReport) => string {
  const { t } = useTranslation(["today", "sales", "common"]);
  const method = useMethodName();
  const dish = useDishName();
  const partsOf = useSoldParts();
  return (report) =>
    salesCsv(report, {
      section: (name) => (name === "taxes" ? t("sales:title") : t(name)),
      column: t,
      dish,
      method,
      unnamed: t("today:nobody"),
      time: (iso) => csvTime(iso, report.timeZone),
      parts: partsOf(report),
    });
}

/** Compares a period with the one before it. Renders nothing if they cannot be compared. */
function Compared({ period, report }: { period: Period; report: SalesReport }) {
  const { t, format, language } = useTranslation("today");
  const { long } = usePeriodName();
  const rival = comparisonPeriod(period);
  const { data: before } = useQuery(salesOfDays(rival));
  const compared = before === undefined ? null : compareSales(period, report, rival, before);
  if (compared === null) return null;
  const change = (name: "sales" | "checks"): string =>
    percentChange(language, compared.now[name], compared.before[name]);
  const whole = period.kind === "day" ? "comparedDay" : "compared";
  return (
    <p className="soft no-margin">
      {t(compared.isPart ? "comparedPart" : whole, {
        before: long(rival),
        sales: change("sales"),
        checks: change("checks"),
        amount: format.money(compared.before.sales),
      })}
    </p>
  );
}

import type { UnassignedPayment, ShiftReport, TipsOfDay } from "@comanda/protocol";
import { subtract, sum } from "@comanda/rules";
import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { TablePanel } from "../../components/tables/table-panel.tsx";
import { combineReads } from "../../lib/combine-reads.ts";
import { hubQuery, useHub } from "../../lib/hub.ts";
import { unassignedOfDay } from "./unassigned-of-day.ts";
import { PaperHead } from "./paper-head.tsx";
import { ReportTools } from "./report-tools.tsx";
import { Methods, ShiftSheet } from "./shift-sheet.tsx";
import { sumUnassigned } from "./sum-unassigned.ts";
import { useCashFormat } from "./use-cash-format.ts";
import { sumMethods } from "./sum-methods.ts";
import { TipsTable } from "./tips-panel.tsx";
import { useShiftColumns } from "./use-shift-columns.tsx";
import { useShiftCsv } from "./use-shift-csv.ts";
import "./tills.css";

/** All drawers of a day as printed pages: their sums, then each shift on a page of its own. */
export function DayReport({ day, onClose }: { day: string; onClose: () => void }) {
  // If no day was chosen, the hub answers with the current day at the restaurant.
  const tips = useHub("tips", { query: day === "" ? {} : { day } });
  return (
    <>
      {tips.data === undefined && <ReportTools onClose={onClose} />}
      <Loaded query={tips} height={320}>
        {(read) => <ReportOfDay tips={read} onClose={onClose} />}
      </Loaded>
    </>
  );
}

function ReportOfDay({ tips, onClose }: { tips: TipsOfDay; onClose: () => void }) {
  const { t, format } = useTranslation("tills");
  const { day } = tips;
  const shifts = useHub("shifts", { query: { day } });
  const none = useHub("noShift");
  const queries = (shifts.data?.shifts ?? [])
    .toReversed()
    .map(({ id }) => hubQuery("shift", { params: { shiftId: id } }));
  const reports = useQueries({ queries, combine: combineReads<ShiftReport> });
  const isReady = shifts.data !== undefined && none.data !== undefined && reports.data !== undefined;
  const title = t("dayReportOf", { day: format.date(day) });
  const csvOf = useShiftCsv();
  const csv = () => csvOf(reports.data ?? []);
  return (
    <article className="paper-report stack" aria-label={title}>
      <ReportTools report={{ file: `${t("dayFile")}-${day}`, csv }} isReady={isReady} onClose={onClose} />
      <PaperHead title={title} />
      <Loaded query={shifts} height={320}>
        {() => (
          <Loaded query={reports} height={320}>
            {(all) => <Summary reports={all} title={title} />}
          </Loaded>
        )}
      </Loaded>
      <Loaded query={none}>
        {({ payments }) => <UnassignedPayments payments={unassignedOfDay(payments, tips)} />}
      </Loaded>
      {tips.waiters.length > 0 && (
        <Panel title={t("tipsTitle")} flush>
          <TipsTable tips={tips} />
        </Panel>
      )}
      <p className="paper-signature">{t("signature")}</p>
      {(reports.data ?? []).map((report) => (
        <section key={report.id} className="paper-page stack">
          <ShiftSheet report={report} />
        </section>
      ))}
    </article>
  );
}

/** The sums of all shifts of a day. */
function Summary({ reports, title }: { reports: readonly ShiftReport[]; title: string }) {
  const { t, format } = useTranslation("tills");
  const columns = useShiftColumns();
  if (reports.length === 0) return <Empty title={t("noShiftsThatDay")}>{t("noShifts")}</Empty>;
  const late = reports.flatMap((report) => report.late);
  const byMethod = sumMethods(reports.map((report) => report.byMethod));
  const pesos = byMethod.filter(({ currency }) => currency === undefined);
  const sales = sum(pesos.map((row) => row.sales));
  const refunded = sum(pesos.map((row) => row.refunded));
  return (
    <>
      <Panel title={title}>
        <Facts
          items={[
            fact(t("sales"), format.money(sales)),
            fact(t("refunds"), format.money(refunded)),
            fact(t("net"), format.money(subtract(sales, refunded))),
            late.length > 0 && fact(t("late"), format.money(sumUnassigned(late))),
          ]}
        />
      </Panel>
      <Methods rows={byMethod} />
      <TablePanel title={t("shiftsTitle")} rows={reports} rowKey={({ id }) => id} columns={columns} />
    </>
  );
}

/** Payments of that day that belong to no shift. */
function UnassignedPayments({ payments }: { payments: readonly UnassignedPayment[] }) {
  const { t, format } = useTranslation(["tills", "common"]);
  const { paymentText } = useCashFormat();
  return (
    <TablePanel
      title={t("noneTitle")}
      rows={payments}
      rowKey={({ paymentId }) => paymentId}
      columns={[
        { header: t("common:when"), cell: ({ at }) => format.dateTime(at) },
        { header: t("common:order"), cell: ({ posReference }) => posReference },
        { header: t("common:what"), cell: ({ kind }) => t(`kinds.${kind}`) },
        { header: t("common:amount"), numeric: true, cell: paymentText },
        { header: t("common:who"), cell: ({ takenBy }) => takenBy },
      ]}
    />
  );
}

import type { DrawerOpening, LateEntry, ShiftCount, ShiftMethod, ShiftMove, ShiftReport } from "@comanda/protocol";
import { cashOfMove } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { OrderLink } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { Table } from "../../components/tables/table.tsx";
import { TablePanel } from "../../components/tables/table-panel.tsx";
import { useCashFormat } from "./use-cash-format.ts";
import { useMethodName } from "../../components/labels.ts";

/** What a shift took, what was expected and counted, and what was done besides sales. */
export function ShiftSheet({ report }: { report: ShiftReport }) {
  const { t, format } = useTranslation(["tills", "common"]);
  const { cash } = useCashFormat();
  const { refunds, discounts, voids, comps } = report;
  const counted = ({ count, amount }: { count: number; amount: number }) => `${count} · ${format.money(amount)}`;
  return (
    <>
      <Panel
        title={t(report.state === "closed" ? "z" : "x", { name: report.tillName })}
        about={report.state === "counted" ? t("countedAbout") : undefined}
      >
        <Facts
          items={[
            fact(t("opened"), `${report.openedBy}, ${format.dateTime(report.openedAt)}`),
            report.closedAt !== null &&
              fact(t("closed"), `${report.closedBy ?? ""}, ${format.dateTime(report.closedAt)}`),
            report.approvedBy !== null && fact(t("approved"), report.approvedBy),
            fact(t("float"), [{ amount: report.float }, ...report.floats].map(cash).join(" · ")),
            fact(t("sales"), format.money(report.sales)),
            fact(t("refunds"), counted(refunds)),
            fact(t("discounts"), counted(discounts)),
            fact(t("voids"), counted(voids)),
            fact(t("comps"), counted(comps)),
            fact(t("checks"), String(report.checks.count)),
            ...report.fiscal.map(({ type, from, to, count }) =>
              fact(`${type} (${count})`, from === to ? from : `${from} – ${to}`),
            ),
          ]}
        />
      </Panel>
      <Methods rows={report.byMethod} />
      <TablePanel
        title={t("tips")}
        rows={report.tips}
        rowKey={({ userName }) => userName}
        columns={[
          { header: t("common:role.waiter"), cell: ({ userName }) => userName },
          { header: t("common:amount"), numeric: true, cell: ({ amount }) => format.money(amount) },
        ]}
      />
      <Events report={report} />
    </>
  );
}

/** Money by method, and cash by currency. */
export function Methods({ rows }: { rows: readonly ShiftMethod[] }) {
  const { t } = useTranslation("tills");
  const { cash } = useCashFormat();
  const nameOf = useMethodName();
  const amount = (value: number | null | undefined, { currency }: ShiftMethod) =>
    value === null || value === undefined ? "" : cash({ amount: value, currency });
  const column = (name: "sales" | "tips" | "refunded" | "foreign" | "expected" | "counted" | "difference") => ({
    header: t(name),
    numeric: true,
    cell: (row: ShiftMethod) => amount(row[name], row),
  });
  return (
    <Panel title={t("methods")} flush>
      <Table
        rows={rows}
        rowKey={({ methodId, currency = "" }) => `${methodId} ${currency}`}
        columns={[
          {
            header: t("method"),
            cell: ({ methodId, currency }) => [nameOf(methodId), currency].filter(Boolean).join(" "),
          },
          column("sales"),
          column("tips"),
          column("refunded"),
          ...(rows.some(({ foreign = 0 }) => foreign !== 0) ? [column("foreign")] : []),
          { ...column("expected"), cell: (row) => (row.withCash ? t("withCash") : amount(row.expected, row)) },
          column("counted"),
          column("difference"),
        ]}
      />
    </Panel>
  );
}

type Approved = Pick<ShiftCount, "approvedBy">;

function Events({ report }: { report: ShiftReport }) {
  const { t, format } = useTranslation(["tills", "common"]);
  const time = { header: t("common:when"), cell: ({ at }: { at: string }) => format.dateTime(at) };
  const personColumn = { header: t("common:who"), cell: ({ by }: { by: string }) => by };
  const approved = { header: t("approved"), cell: ({ approvedBy }: Approved) => approvedBy ?? "" };
  const approvedOf = (rows: readonly Approved[]) =>
    rows.some((row) => row.approvedBy !== undefined) ? [approved] : [];
  const nameOf = useMethodName();
  const { cash, paymentText } = useCashFormat();
  const amountOf = (counted: ShiftCount["counted"][number]) => `${nameOf(counted.methodId)} ${cash(counted)}`;
  const answers = { true: t("yes"), false: t("no"), null: t("unknown") };
  return (
    <>
      <TablePanel<ShiftMove>
        title={t("moves")}
        rows={report.moves}
        rowKey={({ at, amount }) => `${at} ${amount}`}
        columns={[
          time,
          { header: t("common:what"), cell: ({ kind }) => t(`move.${kind}`) },
          { header: t("common:amount"), numeric: true, cell: (move) => format.money(cashOfMove(move)) },
          {
            header: t("common:reason"),
            cell: ({ reason, userName }) => [reason, userName].filter(Boolean).join(" · "),
          },
          personColumn,
          ...approvedOf(report.moves),
        ]}
      />
      <TablePanel<ShiftCount>
        title={t("counts")}
        about={t("countsAbout")}
        rows={report.counts}
        rowKey={({ at }) => at}
        columns={[
          time,
          {
            header: t("counted"),
            isLong: true,
            cell: ({ counted, note }) => [...counted.map(amountOf), note].filter(Boolean).join(" · "),
          },
          personColumn,
          approved,
        ]}
      />
      <TablePanel<DrawerOpening>
        title={t("openings")}
        rows={report.openings}
        rowKey={({ at, why }) => `${at} ${why}`}
        columns={[
          time,
          {
            header: t("common:what"),
            cell: ({ why, reason }) => [t(`why.${why}`), reason].filter(Boolean).join(" · "),
          },
          personColumn,
          ...approvedOf(report.openings),
          { header: t("common:terminal"), cell: ({ terminalId }) => terminalId },
          { header: t("answered"), cell: ({ answered }) => answers[`${answered}`] },
        ]}
      />
      <TablePanel<LateEntry>
        title={t("late")}
        about={t("lateAbout")}
        rows={report.late}
        rowKey={({ paymentId }) => paymentId}
        columns={[
          time,
          { header: t("common:order"), cell: ({ posReference }) => <OrderLink posReference={posReference} /> },
          { header: t("common:amount"), numeric: true, cell: paymentText },
          { header: t("assigned"), cell: ({ assignedBy }) => assignedBy },
        ]}
      />
    </>
  );
}

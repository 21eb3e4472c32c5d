import { Button } from "@mantine/core";
import { IconArrowLeft, IconDownload, IconPrinter } from "@tabler/icons-react";
import type { DrawerOpening, LateEntry, ShiftCount, ShiftMethod, ShiftMove, ShiftReport } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { fact, Facts } from "../../components/facts.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { OrderLink } from "../../components/order-link.tsx";
import { Panel } from "../../components/panel.tsx";
import { Table } from "../../components/table.tsx";
import { useHub } from "../../lib/hub.ts";
import { saveFile } from "../../lib/save-file.ts";
import { csvOf } from "./shift-csv.ts";
import { useMethodName } from "./use-method-name.ts";

/** The report of a shift as a page that prints: X while it is open, Z once it is closed. */
export function ShiftView({ shiftId, onClose }: { shiftId: string; onClose: () => void }) {
  const { t } = useTranslation("tills");
  const shift = useHub("shift", { params: { shiftId } });
  return (
    <Loaded query={shift} height={320}>
      {(report) => (
        <>
          <div className="button-row no-print">
            <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
              {t("back")}
            </Button>
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => window.print()}
            >
              {t("print")}
            </Button>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() =>
                saveFile(new Blob([csvOf(report)], { type: "text/csv" }), `${report.tillName}-${report.id}.csv`)
              }
            >
              {t("csv")}
            </Button>
          </div>
          <Report report={report} />
        </>
      )}
    </Loaded>
  );
}

function Report({ report }: { report: ShiftReport }) {
  const { t } = useTranslation("tills");
  const format = useFormat();
  const { refunds, discounts, voids, comps } = report;
  const counted = ({ count, amount }: { count: number; amount: number }) => `${count} · ${format.money(amount)}`;
  return (
    <>
      <Panel title={t(report.state === "closed" ? "z" : "x", { name: report.tillName })}>
        <Facts
          items={[
            fact(t("opened"), `${report.openedBy}, ${format.dateTime(report.openedAt)}`),
            report.closedAt !== null &&
              fact(t("closed"), `${report.closedBy ?? ""}, ${format.dateTime(report.closedAt)}`),
            report.approvedBy !== null && fact(t("approved"), report.approvedBy),
            fact(t("float"), format.money(report.float)),
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
      {report.tips.length > 0 && (
        <Panel title={t("tips")} flush>
          <Table
            rows={report.tips}
            rowKey={({ userName }) => userName}
            columns={[
              { header: t("waiter"), cell: ({ userName }) => userName },
              { header: t("amount"), numeric: true, cell: ({ amount }) => format.money(amount) },
            ]}
          />
        </Panel>
      )}
      <Events report={report} />
    </>
  );
}

function Methods({ rows }: { rows: ShiftMethod[] }) {
  const { t } = useTranslation("tills");
  const format = useFormat();
  const nameOf = useMethodName();
  const amount = (value: number | null, { currency }: ShiftMethod) =>
    value === null ? "" : currency === undefined ? format.money(value) : `${currency} ${format.number(value)}`;
  const column = (name: "sales" | "tips" | "refunded" | "expected" | "counted" | "difference") => ({
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
          column("expected"),
          column("counted"),
          column("difference"),
        ]}
      />
    </Panel>
  );
}

function Events({ report }: { report: ShiftReport }) {
  const { t } = useTranslation("tills");
  const format = useFormat();
  const time = { header: t("when"), cell: ({ at }: { at: string }) => format.dateTime(at) };
  const who = { header: t("who"), cell: ({ by }: { by: string }) => by };
  const answers = { true: t("yes"), false: t("no"), null: t("unknown") };
  return (
    <>
      {report.moves.length > 0 && (
        <Panel title={t("moves")} flush>
          <Table<ShiftMove>
            rows={report.moves}
            rowKey={({ at, amount }) => `${at} ${amount}`}
            columns={[
              time,
              { header: t("kind"), cell: ({ kind }) => t(`move.${kind}`) },
              { header: t("amount"), numeric: true, cell: ({ amount }) => format.money(amount) },
              { header: t("reason"), cell: ({ reason, userName }) => [reason, userName].filter(Boolean).join(" · ") },
              who,
            ]}
          />
        </Panel>
      )}
      {report.counts.length > 0 && (
        <Panel title={t("counts")} about={t("countsAbout")} flush>
          <Table<ShiftCount>
            rows={report.counts}
            rowKey={({ at }) => at}
            columns={[
              time,
              { header: t("amount"), numeric: true, cell: ({ counted }) => format.money(sum(inPesos(counted))) },
              who,
              { header: t("approved"), cell: ({ approvedBy }) => approvedBy ?? "" },
            ]}
          />
        </Panel>
      )}
      {report.openings.length > 0 && (
        <Panel title={t("openings")} flush>
          <Table<DrawerOpening>
            rows={report.openings}
            rowKey={({ at, why }) => `${at} ${why}`}
            columns={[
              time,
              { header: t("kind"), cell: ({ why, reason }) => [t(`why.${why}`), reason].filter(Boolean).join(" · ") },
              who,
              { header: t("terminal"), cell: ({ terminalId }) => terminalId },
              { header: t("answered"), cell: ({ answered }) => answers[`${answered}`] },
            ]}
          />
        </Panel>
      )}
      {report.late.length > 0 && (
        <Panel title={t("late")} about={t("lateAbout")} flush>
          <Table<LateEntry>
            rows={report.late}
            rowKey={({ paymentId }) => paymentId}
            columns={[
              time,
              { header: t("check"), cell: ({ posReference }) => <OrderLink posReference={posReference} /> },
              { header: t("amount"), numeric: true, cell: ({ amount, tip }) => format.money(sum([amount, tip])) },
              { header: t("assigned"), cell: ({ assignedBy }) => assignedBy },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

function inPesos(counted: ShiftCount["counted"]): number[] {
  return counted.flatMap(({ currency, amount }) => (currency === undefined ? [amount] : []));
}

import type { FailedNumber, FiscalStatus, NcfSequenceState, NcfSequenceStatus } from "@comanda/protocol";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { BackOfficeError } from "../../components/failures/back-office-error.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { NumberActions } from "../../components/number-actions.tsx";
import { orderColumn } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark, type Tone } from "../../components/layout/status-mark.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { useHub } from "../../lib/hub.ts";
import { ContingencyTable, OpenReceiptTable } from "./receipt-panels.tsx";

const toneOf: Record<NcfSequenceState, Tone> = {
  ok: "good",
  low: "warn",
  expiring: "warn",
  used_up: "bad",
  expired: "bad",
};

/** Fiscal numbers: how many are left of each type, and the paid orders whose number is pending or was refused. */
export function FiscalPanels() {
  const fiscal = useHub("fiscal");
  return (
    <Loaded query={fiscal} height={320}>
      {(status) => (
        <>
          <FailedTable status={status} />
          <OpenReceiptTable status={status} />
          <ContingencyTable status={status} />
          <SequenceTable sequences={status.sequences} />
        </>
      )}
    </Loaded>
  );
}

/** How many numbers of each type are left, and until when. */
export function SequenceTable({ sequences }: Pick<FiscalStatus, "sequences">) {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const columns: Column<NcfSequenceStatus>[] = [
    {
      header: t("ncfType"),
      cell: ({ type, prefix }) => (
        <>
          <strong>{type}</strong> {prefix !== type && <span className="soft">{prefix}</span>}
          <div className="soft">{knownText(t, `ncfTypes.${type}`)}</div>
        </>
      ),
    },
    { header: t("numbersLeft"), numeric: true, cell: ({ left }) => format.number(left) },
    { header: t("lastDay"), cell: ({ expiresOn }) => (expiresOn === null ? "–" : format.date(expiresOn)) },
    {
      header: t("common:state"),
      cell: ({ state }) => <StatusMark tone={toneOf[state]}>{t(`sequence.${state}`)}</StatusMark>,
    },
  ];
  return (
    <Panel title={t("numbers")} about={t("numbersAbout")} flush>
      {sequences === null ? (
        <Empty title={t("numbersUnknownTitle")}>{t("numbersUnknown")}</Empty>
      ) : (
        <Table
          columns={columns}
          rows={sequences}
          rowKey={({ type, prefix }) => `${type} ${prefix}`}
          empty={{ title: t("noNumbersTitle"), children: t("noNumbers") }}
        />
      )}
    </Panel>
  );
}

function FailedTable({ status: { failed, unclear, pending } }: { status: FiscalStatus }) {
  const { t } = useTranslation(["backOffice", "common", "fiscal"]);
  const columns: Column<FailedNumber>[] = [
    orderColumn(t("common:order")),
    { header: t("ncfType"), cell: ({ type }) => type },
    { header: t("fiscal:rnc"), className: "num", cell: ({ rnc }) => rnc ?? "–" },
    { header: t("refusedAt"), cell: ({ failedAt }) => <TimeAgo at={failedAt} /> },
    {
      header: t("answer"),
      isLong: true,
      cell: (number) => (
        <>
          <BackOfficeError error={number.error} errorCode={number.errorCode} />
          {unclear.includes(number) && <StatusMark tone="warn">{t("numberAskedAgain")}</StatusMark>}
        </>
      ),
    },
  ];
  return (
    <Panel title={t("blocker.numbers")} about={t("refusedNumbersAbout")} flush>
      {pending > 0 && (
        <p className="note-line">
          <StatusMark tone="warn">{t("numbersPending", { count: pending })}</StatusMark>{" "}
          <Link href="/orders">{t("seeOrders")}</Link>
        </p>
      )}
      <Table
        columns={columns}
        rows={[...failed, ...unclear]}
        rowKey={({ posReference }) => posReference}
        controls={(row) => <NumberActions {...row} />}
        empty={{ title: t("noRefusedNumbersTitle"), children: t("noRefusedNumbers") }}
      />
    </Panel>
  );
}

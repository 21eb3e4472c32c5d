import type { ContingencyReceipt, FiscalStatus, OpenReceipt } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { BackOfficeError } from "../../components/failures/back-office-error.tsx";
import { orderColumn } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { callHub } from "../../lib/hub.ts";

/** Electronic receipts that need a manager. */
export function OpenReceiptTable({ status: { receipts, signing } }: { status: FiscalStatus }) {
  const { t } = useTranslation(["backOffice", "common"]);
  const columns: Column<OpenReceipt>[] = [
    orderColumn(t("common:order")),
    { header: t("receiptNumber"), className: "num", cell: ({ ncf, type }) => ncf ?? type },
    {
      header: t("receiptWhy"),
      isLong: true,
      cell: ({ state, error }) => (
        <>
          <StatusMark tone="bad">{t(`receiptState.${state}`)}</StatusMark>
          <BackOfficeError error={error} errorCode={null} />
          {error.reason !== undefined && error.words !== undefined && <div className="soft">{error.words}</div>}
        </>
      ),
    },
    { header: t("receiptSince"), cell: ({ failedAt }) => <TimeAgo at={failedAt} /> },
  ];
  return (
    <Panel title={t("openReceipts")} about={t("openReceiptsAbout")} flush>
      {signing > 0 && (
        <p className="note-line">
          <StatusMark tone="warn">{t("signing", { count: signing })}</StatusMark>
        </p>
      )}
      <Table
        columns={columns}
        rows={receipts}
        rowKey={({ posReference }) => posReference}
        controls={(receipt) => <ReceiptActions receipt={receipt} />}
        empty={{ title: t("noOpenReceiptsTitle"), children: t("noOpenReceipts") }}
      />
    </Panel>
  );
}

/** Actions of a manager for a receipt with a problem. */
function ReceiptActions({ receipt: { posReference, ncf } }: { receipt: OpenReceipt }) {
  const { t } = useTranslation("backOffice");
  return (
    <div className="button-row">
      <ActionButton
        size="xs"
        label={t("askReceipt")}
        name={t("askReceiptOf", { reference: posReference })}
        run={() => callHub("decideNumber", { params: { posReference }, body: { action: "retry" } })}
        done={t("receiptAsked")}
      />
      <SettleButton posReference={posReference} ncf={ncf} name={posReference} />
    </div>
  );
}

/** Settles only the receipt with this number: a check may have several receipts and credit notes. */
function SettleButton({ posReference, ncf, name }: { posReference: string; ncf: string | null; name: string }) {
  const { t } = useTranslation("backOffice");
  const which = ncf !== null && { ncf };
  return (
    <ActionButton
      size="xs"
      label={t("settleReceipt")}
      name={t("settleReceiptOf", { reference: name })}
      confirm={{ body: t("settleReceiptBody") }}
      run={() => callHub("decideNumber", { params: { posReference }, body: { action: "dismiss", ...which } })}
      done={t("receiptSettled", { reference: name })}
    />
  );
}

/** Paper numbers that replace electronic ones. Renders nothing if there are none and contingency mode is off. */
export function ContingencyTable({ status: { contingency, isContingency } }: { status: FiscalStatus }) {
  const { t } = useTranslation(["backOffice", "common"]);
  if (!isContingency && contingency.length === 0) return null;
  const columns: Column<ContingencyReceipt>[] = [
    orderColumn(t("common:order")),
    { header: t("receiptNumber"), className: "num", cell: ({ ncf }) => ncf },
    { header: t("contingencyGiven"), cell: ({ at }) => <TimeAgo at={at} /> },
  ];
  return (
    <Panel title={t("contingency")} about={t("contingencyAbout")} flush>
      {isContingency && (
        <p className="note-line">
          <StatusMark tone="warn">{t("contingencyOn")}</StatusMark>
        </p>
      )}
      <Table
        columns={columns}
        rows={contingency}
        rowKey={({ ncf }) => ncf}
        controls={({ posReference, ncf }) => <SettleButton posReference={posReference} ncf={ncf} name={ncf} />}
        empty={{ title: t("noContingencyTitle"), children: t("noContingency") }}
      />
    </Panel>
  );
}

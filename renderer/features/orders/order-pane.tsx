import { ActionIcon } from "@mantine/core";
import { IconDownload, IconX } from "@tabler/icons-react";
import { isActive, type OrderDetail } from "@comanda/protocol";
import { placeOf, receiptStanding } from "@comanda/rules";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { BackOfficeError } from "../../components/failures/back-office-error.tsx";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { orderTone, useOrderLabels } from "../../components/labels.ts";
import { Loaded } from "../../components/tables/loaded.tsx";
import { NumberActions } from "../../components/number-actions.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { downloadFromHub } from "../../lib/hub-client.ts";
import { useHub } from "../../lib/hub.ts";
import { usePane } from "../../lib/use-pane.ts";
import { toneOfFiscal, toneOfReceipt } from "./fiscal-state.tsx";
import { OrderLines } from "./order-lines.tsx";
import { RefundButton } from "./refund-button.tsx";
import { StepStrip } from "./step-strip.tsx";
import type { StepName } from "./timeline-story.ts";
import { Timeline } from "./timeline.tsx";

/** One order: its current state, and everything that happened to it. */
export function OrderPane({ posReference }: { posReference: string }) {
  const { t } = useTranslation(["orders", "common"]);
  const [, go] = useLocation();
  const order = useHub("order", { params: { posReference } });
  const isMissing = order.data === undefined && order.error !== null;
  const close = () => go("/orders");
  const pane = usePane<HTMLElement>(close);
  const [step, setStep] = useState<StepName | null>(null);
  const showAll = () => setStep(null);
  return (
    // A scrolling region must be reachable by keyboard.
    <article
      ref={pane}
      className="card panel order-pane"
      aria-label={t("order", { reference: posReference })}
      tabIndex={0}
    >
      <header className="order-head">
        <div>{order.data === undefined ? <h2>{posReference}</h2> : <Place detail={order.data} />}</div>
        <div className="row order-actions">
          {order.data !== undefined && <RefundButton detail={order.data} />}
          {!isMissing && (
            <ActionButton
              size="xs"
              leftSection={<IconDownload size={15} aria-hidden />}
              label={t("common:export")}
              run={() => downloadFromHub("exportOrder", { params: { posReference } })}
            />
          )}
          <ActionIcon variant="default" size={30} aria-label={t("close")} onClick={close}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      </header>
      <Loaded query={order} height={200}>
        {(detail) => (
          <>
            <StepStrip detail={detail} chosen={step} onChoose={(next) => setStep(next === step ? null : next)} />
            <Content detail={detail} />
          </>
        )}
      </Loaded>
      {!isMissing && (
        <Timeline posReference={posReference} version={versionToRestore(order.data)} step={step} onShowAll={showAll} />
      )}
    </article>
  );
}

/** Returns the version that a restored one would replace, or undefined if the check is no longer active or was removed. */
function versionToRestore(detail: OrderDetail | undefined): number | undefined {
  if (detail === undefined || detail.removed || !isActive(detail.order.snapshot.status)) return undefined;
  return detail.order.version;
}

/** The place of a check, which people know, before the reference, which machines know. */
function Place({ detail: { order } }: { detail: OrderDetail }) {
  const { t } = useTranslation("orders");
  const labels = useOrderLabels();
  return (
    <>
      <h2>{labels.place(placeOf(order.snapshot))}</h2>
      <p className="soft">
        {order.posReference} · {t("version", { version: order.version })}
      </p>
    </>
  );
}

function Content({ detail }: { detail: OrderDetail }) {
  const { t, format } = useTranslation(["orders", "common", "fiscal"]);
  const labels = useOrderLabels();
  const { order, removed, mergedInto, lease, payments, creditNotes } = detail;
  const { snapshot, forward } = order;
  const { fiscal, ncf } = snapshot;
  const status = { status: snapshot.status, removed };
  const hasPendingRefund = snapshot.refunds?.some(({ state }) => state === "pending") === true;
  const open = payments.some((payment) => payment.settled === null);
  const waiting = fiscal?.status === "pending" || fiscal?.status === "failed" ? fiscal.status : null;
  const receipt = receiptStanding(snapshot);
  const undecided = useHub("fiscal").data?.failed.find(({ posReference }) => posReference === order.posReference);
  return (
    <>
      <div className="button-row order-marks">
        <StatusMark tone={orderTone(status)}>
          {mergedInto === undefined ? labels.state(status) : t("mergedState")}
        </StatusMark>
        {/* An order in accounting already shows that in its state. */}
        {(forward?.state === "attention" || forward?.state === "pending") && (
          <StatusMark tone={forward.state === "attention" ? "bad" : "accent"}>
            {t(`common:forward.${forward.state}`)}
          </StatusMark>
        )}
        {open && <StatusMark tone="bad">{t("paymentWaits")}</StatusMark>}
        {waiting !== null && <StatusMark tone={toneOfFiscal[waiting]}>{t(`fiscal.${waiting}`)}</StatusMark>}
        {receipt !== null && receipt !== "sent" && (
          <StatusMark tone={toneOfReceipt[receipt]}>{t(`receipt.${receipt}`)}</StatusMark>
        )}
        {creditNotes.length > 0 && <StatusMark tone="warn">{t("credited")}</StatusMark>}
        {hasPendingRefund && <StatusMark tone="bad">{t("refundOpen")}</StatusMark>}
        {lease !== null && <StatusMark tone="accent">{t("inUse", { name: lease.userName })}</StatusMark>}
      </div>
      {removed && <p className="order-part soft">{t(mergedInto === undefined ? "removedNote" : "mergedNote")}</p>}
      {detail.attention !== undefined && (
        <div className="order-part">
          <BackOfficeError {...detail.attention} />
        </div>
      )}
      {(waiting !== null || undecided !== undefined) && (
        <div className="order-part">
          {fiscal?.error !== undefined && (
            <BackOfficeError error={{ words: fiscal.error }} errorCode={fiscal.errorCode ?? null} />
          )}
          <NumberActions
            posReference={order.posReference}
            type={fiscal?.type}
            rnc={fiscal?.rnc}
            name={fiscal?.name}
            errorCode={fiscal?.errorCode ?? undecided?.errorCode}
          />
        </div>
      )}
      <div className="order-part">
        <Facts
          items={[
            fact(t("step.opened"), format.dateTime(snapshot.createdAt)),
            fact(t("staff"), snapshot.staffName ?? labels.writer(order.terminalId)),
            fact(t("common:guests"), format.number(snapshot.guestCount)),
            Boolean(snapshot.customerName) && fact(t("customer"), snapshot.customerName),
            Boolean(snapshot.notes) && fact(t("notes"), snapshot.notes),
            ncf !== undefined && fact(t("ncf"), <span className="num">{ncf}</span>),
            fiscal?.ecf?.securityCode !== undefined &&
              fact(t("securityCode"), <span className="num">{fiscal.ecf.securityCode}</span>),
            fiscal?.ecf?.signedAt !== undefined && fact(t("signedAt"), format.dateTime(fiscal.ecf.signedAt)),
            fiscal?.lookup !== undefined &&
              fiscal.ecf?.securityCode === undefined &&
              fact(t("lookup"), <span className="num">{fiscal.lookup}</span>),
            fiscal?.expiresOn !== undefined && fact(t("lastDayName"), format.date(fiscal.expiresOn)),
            Boolean(fiscal?.rnc) && fact(t("fiscal:rnc"), <span className="num">{fiscal?.rnc}</span>),
            Boolean(fiscal?.name) && fact(t("fiscal:buyerName"), fiscal?.name),
            ...creditNotes.map((note) =>
              fact(t("creditNoteFact"), `${note.ncf ?? t("numberInAccounting")} · ${format.money(note.amount)}`),
            ),
          ]}
        />
      </div>
      <OrderLines snapshot={snapshot} />
    </>
  );
}

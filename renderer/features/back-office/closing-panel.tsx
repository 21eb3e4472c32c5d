import type { ClosingReport, FiscalStatus } from "@comanda/protocol";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { fact, Facts } from "../../components/facts.tsx";
import { useCatalogue, useTableName } from "../../components/labels.ts";
import { Loaded } from "../../components/loaded.tsx";
import { orderPath } from "../../components/order-link.tsx";
import { Panel } from "../../components/panel.tsx";
import { StatusMark, toneIcon } from "../../components/status-mark.tsx";
import { Elapsed, TimeAgo } from "../../components/time.tsx";
import { useHub } from "../../lib/hub.ts";
import { useFormat } from "../../lib/format.ts";
import { useNow } from "../../lib/use-now.ts";
import { SequenceTable } from "./fiscal-panels.tsx";

/** Whether the shift can be closed, everything that stands in the way, and what the register has taken. */
export function ClosingPanel() {
  const closing = useHub("closing");
  const fiscal = useHub("fiscal").data;
  const lacking = fiscal === undefined ? 0 : fiscal.pending + fiscal.failed.length;
  return (
    <Loaded query={closing} height={320}>
      {(report) => (
        <>
          <Verdict report={report} isReady={report.ready && lacking === 0} />
          <div className="panel-grid">
            <Blockers report={report} fiscal={fiscal} />
            <Sales totals={report.totals} />
          </div>
          {fiscal !== undefined && <SequenceTable sequences={fiscal.sequences} />}
        </>
      )}
    </Loaded>
  );
}

function Verdict({ report: { checkedAt }, isReady }: { report: ClosingReport; isReady: boolean }) {
  const { t } = useTranslation("backOffice");
  const format = useFormat();
  const now = useNow();
  const tone = isReady ? "good" : "warn";
  const Icon = toneIcon[tone];
  return (
    <div className="verdict" data-tone={tone}>
      <Icon size={44} aria-hidden />
      <div role="status">
        <p className="verdict-answer">{t(isReady ? "ready" : "notReady")}</p>
        <p>{t(isReady ? "readyAbout" : "notReadyAbout")}</p>
      </div>
      <span className="verdict-checked soft">{t("checked", { ago: format.ago(checkedAt, now) })}</span>
    </div>
  );
}

interface BlockersProps {
  report: ClosingReport;
  fiscal: FiscalStatus | undefined;
}

function Blockers({ report, fiscal }: BlockersProps) {
  const { t } = useTranslation("backOffice");
  const tableName = useTableName();
  const format = useFormat();
  const { openChecks, unsentTerminals, unforwarded, attention, unappliedPayments, losses } = report;
  return (
    <Panel title={t("closing")}>
      <ul className="plain-list divided">
        <Blocker name={t("blocker.openChecks")} count={openChecks.length}>
          {openChecks.map(({ posReference, tableId, total, paid }) => (
            <li key={posReference}>
              <Link href={orderPath(posReference)}>{tableId === null ? posReference : tableName(tableId)}</Link>{" "}
              <span className="num">{format.money(total)}</span>
              {paid > 0 && <span className="blocker-note">{t("paidOnIt", { amount: format.money(paid) })}</span>}
            </li>
          ))}
        </Blocker>
        <Blocker name={t("blocker.unsent")} count={unsentTerminals.length}>
          {unsentTerminals.map(({ terminalId, userName, pending, oldestAt, payments, amount }) => (
            <li key={terminalId}>
              <Link href="/terminals">{terminalId}</Link>{" "}
              {[
                userName,
                t("unsentChanges", { count: pending }),
                payments !== null &&
                  payments > 0 &&
                  t("unsentMoney", { count: payments, amount: format.money(amount ?? 0) }),
              ]
                .filter(Boolean)
                .join(" · ")}
              {oldestAt !== null && (
                <>
                  {" · "}
                  <Elapsed since={oldestAt} />
                </>
              )}
            </li>
          ))}
        </Blocker>
        <Blocker name={t("blocker.unforwarded")} count={unforwarded.pending}>
          {unforwarded.oldestAt !== null && (
            <li>
              <Link href="/back-office">{t("queue")}</Link> <TimeAgo at={unforwarded.oldestAt} />
            </li>
          )}
        </Blocker>
        <Blocker name={t("blocker.attention")} count={attention.length}>
          {attention.map((event) => (
            <li key={event.eventId}>
              <Link href="/back-office/attention">{event.posReference}</Link> {event.error}
            </li>
          ))}
        </Blocker>
        <Blocker name={t("blocker.payments")} count={unappliedPayments.length}>
          {unappliedPayments.map((payment) => (
            <li key={payment.paymentId}>
              <Link href="/back-office/attention">{payment.posReference}</Link>{" "}
              <span className="num">{format.money(payment.amount)}</span>
            </li>
          ))}
        </Blocker>
        {fiscal !== undefined && (
          <Blocker name={t("blocker.numbers")} count={fiscal.pending + fiscal.failed.length}>
            {fiscal.pending > 0 && <li>{t("numbersPending", { count: fiscal.pending })}</li>}
            {fiscal.failed.map(({ posReference, error }) => (
              <li key={posReference}>
                <Link href="/back-office/fiscal">{posReference}</Link> {error}
              </li>
            ))}
          </Blocker>
        )}
        {losses > 0 && (
          <Blocker name={t("blocker.losses")} count={losses}>
            <li>
              <Link href="/system/backups">{t("decideLosses")}</Link>
            </li>
          </Blocker>
        )}
      </ul>
    </Panel>
  );
}

function Blocker({ name, count, children }: { name: string; count: number; children: ReactNode }) {
  const { t } = useTranslation("backOffice");
  const format = useFormat();
  return (
    <li>
      <div className="spread">
        <span>{name}</span>
        <StatusMark tone={count === 0 ? "good" : "warn"}>{count === 0 ? t("clear") : format.number(count)}</StatusMark>
      </div>
      {count > 0 && <ul className="plain-list blocker-items">{children}</ul>}
    </li>
  );
}

function Sales({ totals }: Pick<ClosingReport, "totals">) {
  const { t } = useTranslation("backOffice");
  const format = useFormat();
  const { paymentMethods } = useCatalogue();
  return (
    <Panel title={t("sales")} about={t("salesAbout")}>
      <p className="big-number num">{format.money(totals.paidAmount)}</p>
      <Facts
        items={[
          fact(t("paidOrders"), format.number(totals.paidOrders)),
          fact(t("notYet"), format.money(totals.notYetInAccounting)),
          ...totals.byMethod.map(({ methodId, amount }) =>
            fact(paymentMethods[methodId] ?? t("anyMethod", { id: methodId }), format.money(amount)),
          ),
        ]}
      />
    </Panel>
  );
}

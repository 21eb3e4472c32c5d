import type { ClosingReport } from "@comanda/protocol";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Ago, Lasting } from "../../../components/age.tsx";
import { fact, Facts } from "../../../components/facts.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark, toneIcon } from "../../../components/status-mark.tsx";
import { useTableWords } from "../../../components/use-table-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useCatalogue } from "../api/catalogue.ts";
import { useClosing } from "../api/closing.ts";

/** The gate before closing: everything that stands against it, and what the register has taken. */
export function Closing() {
  const closing = useClosing();
  return (
    <Loaded query={closing} height={320}>
      {(report) => (
        <div className="stack">
          <Answer report={report} />
          <div className="two-panels">
            <Gates report={report} />
            <Sales report={report} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Answer({ report }: { report: ClosingReport }) {
  const { t } = useTranslation("backOffice");
  const format = useFormat();
  const now = useNow();
  const tone = report.ready ? "good" : "warn";
  const Icon = toneIcon[tone];
  return (
    <div className="gate" data-tone={tone}>
      <Icon size={44} aria-hidden />
      <div role="status">
        <p className="gate-answer">{t(report.ready ? "ready" : "notReady")}</p>
        <p>{t(report.ready ? "readyAbout" : "notReadyAbout")}</p>
      </div>
      <span className="gate-checked soft">{t("checked", { ago: format.ago(report.checkedAt, now) })}</span>
    </div>
  );
}

function Gates({ report }: { report: ClosingReport }) {
  const { t } = useTranslation("backOffice");
  const tableWords = useTableWords();
  const format = useFormat();
  const catalogue = useCatalogue();
  const { openChecks, unsentTerminals, unforwarded, attention, unappliedPayments, losses } = report;
  return (
    <Panel title={t("closing")}>
      <ul className="gate-list">
        <Gate name={t("gate.openChecks")} count={openChecks.length}>
          {openChecks.map((check) => (
            <li key={check.posReference}>
              <Link href={`/orders/${encodeURIComponent(check.posReference)}`}>
                {check.tableId === null
                  ? check.posReference
                  : tableWords(catalogue?.tables[check.tableId] ?? check.tableId)}
              </Link>{" "}
              <span className="num">{format.money(check.total)}</span>
            </li>
          ))}
        </Gate>
        <Gate name={t("gate.unsent")} count={unsentTerminals.length}>
          {unsentTerminals.map((terminal) => (
            <li key={terminal.terminalId}>
              <Link href="/terminals">{terminal.terminalId}</Link> ({terminal.pending}
              {terminal.oldestAt !== null && (
                <>
                  , <Lasting since={terminal.oldestAt} />
                </>
              )}
              )
            </li>
          ))}
        </Gate>
        <Gate name={t("gate.unforwarded")} count={unforwarded.pending}>
          {unforwarded.oldestAt !== null && (
            <li>
              <Link href="/back-office">{t("queue")}</Link> <Ago at={unforwarded.oldestAt} />
            </li>
          )}
        </Gate>
        <Gate name={t("gate.attention")} count={attention.length}>
          {attention.map((event) => (
            <li key={event.eventId}>
              <Link href="/back-office/attention">{event.posReference}</Link> {event.error}
            </li>
          ))}
        </Gate>
        <Gate name={t("gate.payments")} count={unappliedPayments.length}>
          {unappliedPayments.map((payment) => (
            <li key={payment.paymentId}>
              <Link href="/back-office/attention">{payment.posReference}</Link>{" "}
              <span className="num">{format.money(payment.amount)}</span>
            </li>
          ))}
        </Gate>
        {losses > 0 && (
          <Gate name={t("gate.losses")} count={losses}>
            <li>
              <Link href="/system/backups">{t("losses")}</Link>
            </li>
          </Gate>
        )}
      </ul>
    </Panel>
  );
}

function Gate({ name, count, children }: { name: string; count: number; children: ReactNode }) {
  const { t } = useTranslation("backOffice");
  return (
    <li>
      <div className="gate-row">
        <span>{name}</span>
        <StatusMark tone={count === 0 ? "good" : "warn"}>{count === 0 ? t("clear") : t("count", { count })}</StatusMark>
      </div>
      {count > 0 && <ul className="gate-items">{children}</ul>}
    </li>
  );
}

function Sales({ report: { totals } }: { report: ClosingReport }) {
  const { t } = useTranslation("backOffice");
  const format = useFormat();
  const catalogue = useCatalogue();
  return (
    <Panel title={t("sales")} about={t("salesAbout")}>
      <p className="queue-count num">{format.money(totals.paidAmount)}</p>
      <Facts
        items={[
          fact(t("paidOrders"), format.number(totals.paidOrders)),
          fact(t("notYet"), format.money(totals.notYetInAccounting)),
          ...totals.byMethod.map(({ methodId, amount }) =>
            fact(catalogue?.paymentMethods[methodId] ?? methodId, format.money(amount)),
          ),
        ]}
      />
    </Panel>
  );
}

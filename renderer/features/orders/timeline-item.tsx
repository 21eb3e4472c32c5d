import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCash,
  IconCashOff,
  IconEye,
  IconPencil,
  IconReceipt,
  IconToolsKitchen2,
  IconUserShield,
  IconWebhook,
} from "@tabler/icons-react";
import type { TimelineEntry, VersionKind } from "@comanda/protocol";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useCatalogue, useErrorText, useOrderLabels } from "../../components/labels.ts";
import { OrderLink } from "../../components/order-link.tsx";
import type { Tone } from "../../components/status-mark.tsx";
import { useFormat } from "../../lib/format.ts";
import { Differences } from "./differences.tsx";
import { FiscalNote, toneOfFiscal } from "./fiscal-state.tsx";
import texts from "./texts.json" with { type: "json" };

interface Presentation {
  tone: Tone;
  Icon: typeof IconEye;
  what: string;
  by?: string;
  note?: string | null;
  noteTone?: Tone;
  more?: ReactNode;
}

/** One thing that happened; the children are what can be done about it. */
export function TimelineItem({ entry, children }: { entry: TimelineEntry; children: ReactNode }) {
  const format = useFormat();
  const { tone, Icon, what, by, note, noteTone, more } = usePresentation(entry);
  return (
    <li>
      <time className="timeline-time num" dateTime={entry.at} title={format.dateTime(entry.at)}>
        {format.timeExact(entry.at)}
      </time>
      <span className="timeline-mark" data-tone={tone}>
        <Icon size={14} stroke={2} aria-hidden />
      </span>
      <div>
        <p className="timeline-what">
          {what} {by !== undefined && <span className="timeline-by">· {by}</span>} {children}
        </p>
        {note !== undefined && note !== null && note !== "" && (
          <p className="timeline-note" data-tone={noteTone}>
            {note}
          </p>
        )}
        {more}
      </div>
    </li>
  );
}

const iconOf: Partial<Record<VersionKind, typeof IconEye>> = {
  sent: IconToolsKitchen2,
  seen: IconToolsKitchen2,
  bumped: IconToolsKitchen2,
  served: IconToolsKitchen2,
  tendered: IconCash,
  tender_voided: IconCashOff,
  paid: IconCash,
  numbered: IconReceipt,
};

function versionTone(kind: VersionKind, isMerge: boolean): Tone {
  if (isMerge) return "accent";
  if (kind === "discarded" || kind === "reverted" || kind === "tender_voided") return "warn";
  return kind === "paid" || kind === "closed" ? "good" : "accent";
}

type Act = keyof typeof texts.act;

function isAct(action: string): action is Act {
  return Object.hasOwn(texts.act, action);
}

/** Those whose note was written by a person, or is made of names and numbers. */
const actsWithNote: ReadonlySet<string> = new Set([
  "forward.set_aside",
  "payment.settle",
  "fiscal.retry",
  "loss.take_over",
  "loss.dismiss",
]);

function usePresentation(entry: TimelineEntry): Presentation {
  const { t } = useTranslation(["orders", "common"]);
  const format = useFormat();
  const labels = useOrderLabels();
  const errorText = useErrorText();
  const { paymentMethods } = useCatalogue();
  const methodName = (methodId: string) => paymentMethods[methodId] ?? t("anyMethod", { id: methodId });
  switch (entry.kind) {
    case "version": {
      const { version, kind, origin, userName, approvedBy, reason, mergedInto, fiscal, differences } = entry.version;
      const writer = labels.writer(origin);
      const author = userName === null ? writer : `${userName} (${writer})`;
      const isMerge = mergedInto !== undefined;
      return {
        tone: fiscal === undefined ? versionTone(kind, isMerge) : toneOfFiscal[fiscal.status],
        Icon: iconOf[kind] ?? IconPencil,
        what: isMerge ? t("merged") : t(`kind.${kind}`),
        by: `${approvedBy === undefined ? author : t("approved", { author, approver: approvedBy })} · ${t("version", { version })}`,
        note: reason === undefined ? null : t("reason", { reason }),
        more: (
          <>
            {isMerge && (
              <p className="timeline-note">
                {t("mergedInto")}{" "}
                {mergedInto.map((reference) => (
                  <OrderLink key={reference} posReference={reference} />
                ))}
              </p>
            )}
            {fiscal !== undefined && <FiscalNote fiscal={fiscal} />}
            <Differences differences={differences} />
          </>
        ),
      };
    }
    case "ticket_sent": {
      const what = { count: entry.items, station: entry.stationName };
      return {
        tone: entry.late ? "warn" : "accent",
        Icon: IconToolsKitchen2,
        what: entry.stationName === null ? t("ticketSent", what) : t("ticketSentTo", what),
        by: labels.writer(entry.by),
        note: entry.late ? t("ticketLate") : null,
      };
    }
    case "ticket_seen":
      return {
        tone: "good",
        Icon: IconEye,
        what: t("ticketSeen", { station: entry.stationName ?? entry.stationId }),
      };
    case "payment": {
      const { amount, tendered, change, tip } = entry;
      const details = [
        tendered !== null && t("tendered", { amount: format.money(tendered) }),
        change !== null && change > 0 && t("change", { amount: format.money(change) }),
        tip !== null && tip > 0 && t("tip", { amount: format.money(tip) }),
      ];
      return {
        tone: "good",
        Icon: IconCash,
        what: t("payment", { amount: format.money(amount), method: methodName(entry.methodId) }),
        by: [labels.writer(entry.by), entry.terminalId].filter(Boolean).join(" · "),
        note: details.filter(Boolean).join(" · "),
      };
    }
    case "tender_voided":
      return {
        tone: "warn",
        Icon: IconCashOff,
        what: t("tenderVoided", { amount: format.money(entry.amount), method: methodName(entry.methodId) }),
        by: labels.writer(entry.by),
        note: t("reason", { reason: entry.reason }),
      };
    case "payment_unapplied":
      return {
        tone: "bad",
        Icon: IconAlertTriangle,
        what: t("paymentUnapplied", { amount: format.money(entry.payment.amount) }),
        by: `${entry.payment.userName} (${entry.payment.terminalId})`,
        note: errorText(entry.payment.errorCode) ?? entry.payment.error,
        noteTone: "bad",
      };
    case "forward": {
      const good = entry.outcome === "finalized" || entry.outcome === "duplicate";
      return {
        tone: good ? "good" : entry.outcome === "failed" ? "bad" : "warn",
        Icon: IconBuildingBank,
        what: t("forwardAttempt", { attempt: entry.attempt }),
        by: t(`forwardOutcome.${entry.outcome}`),
        note: entry.error,
        noteTone: "bad",
      };
    }
    case "webhook": {
      const good = entry.status !== null && entry.status >= 200 && entry.status < 300;
      const answer =
        entry.status === null
          ? t(`common:webhookError.${entry.error ?? "unreachable"}`)
          : t("webhookAnswer", { status: entry.status, duration: format.duration(entry.durationMs) });
      return {
        tone: good ? "idle" : "warn",
        Icon: IconWebhook,
        what: t("webhookAttempt", { event: entry.event, attempt: entry.attempt }),
        by: answer,
        note: entry.url,
      };
    }
    case "credit_note":
      return {
        tone: "warn",
        Icon: IconReceipt,
        what: t("creditNoteEntry", { ncf: entry.ncf, total: format.money(entry.total) }),
        by: entry.userName,
      };
    case "operator":
      return {
        tone: "warn",
        Icon: IconUserShield,
        what: isAct(entry.action) ? t(`act.${entry.action}`) : t("act.other"),
        by: labels.writer(entry.userName),
        note: isAct(entry.action) && actsWithNote.has(entry.action) ? entry.note : null,
      };
  }
}

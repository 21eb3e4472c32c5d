import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCash,
  IconEye,
  IconPencil,
  IconToolsKitchen2,
  IconUserShield,
  IconWebhook,
} from "@tabler/icons-react";
import type { TimelineEntry } from "@comanda/protocol";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useCatalogue, useOrderLabels } from "../../components/labels.ts";
import type { Tone } from "../../components/status-mark.tsx";
import { useFormat } from "../../lib/format.ts";
import { Differences } from "./differences.tsx";

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

function usePresentation(entry: TimelineEntry): Presentation {
  const { t } = useTranslation(["orders", "common"]);
  const format = useFormat();
  const labels = useOrderLabels();
  const { paymentMethods } = useCatalogue();
  switch (entry.kind) {
    case "version": {
      const { version, kind, origin, userName, differences } = entry.version;
      const writer = labels.writer(origin);
      return {
        tone:
          kind === "discarded" || kind === "reverted"
            ? "warn"
            : kind === "paid" || kind === "closed"
              ? "good"
              : "accent",
        Icon:
          kind === "paid"
            ? IconCash
            : kind === "sent" || kind === "bumped" || kind === "seen"
              ? IconToolsKitchen2
              : IconPencil,
        what: t(`kind.${kind}`),
        by: `${userName === null ? writer : `${userName} (${writer})`} · ${t("version", { version })}`,
        more: <Differences differences={differences} />,
      };
    }
    case "ticket_sent":
      return {
        tone: entry.late ? "warn" : "accent",
        Icon: IconToolsKitchen2,
        what: t("ticketSent", { count: entry.items }),
        by: labels.writer(entry.by),
        note: entry.late ? t("ticketLate") : null,
      };
    case "ticket_seen":
      return { tone: "good", Icon: IconEye, what: t("ticketSeen", { station: entry.stationId }) };
    case "payment":
      return {
        tone: "good",
        Icon: IconCash,
        what: t("payment", {
          amount: format.money(entry.amount),
          method: paymentMethods[entry.methodId] ?? entry.methodId,
        }),
        by: labels.writer(entry.by),
        note:
          entry.tendered === null
            ? null
            : t("paymentTendered", {
                tendered: format.money(entry.tendered),
                change: format.money(entry.change ?? 0),
              }),
      };
    case "tender_voided":
      return {
        tone: "warn",
        Icon: IconCash,
        what: t("tenderVoided", {
          amount: format.money(entry.amount),
          method: paymentMethods[entry.methodId] ?? entry.methodId,
        }),
        by: labels.writer(entry.by),
        note: entry.reason,
      };
    case "payment_unapplied":
      return {
        tone: "bad",
        Icon: IconAlertTriangle,
        what: t("paymentUnapplied", { amount: format.money(entry.payment.amount) }),
        by: `${entry.payment.userName} (${entry.payment.terminalId})`,
        note: entry.payment.error,
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
    case "operator":
      return {
        tone: "warn",
        Icon: IconUserShield,
        what: t("operatorAct", { action: entry.action }),
        by: entry.userName,
        note: entry.note,
      };
  }
}

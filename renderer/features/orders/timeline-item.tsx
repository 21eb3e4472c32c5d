import {
  IconBuildingBank,
  IconCash,
  IconCashOff,
  IconEye,
  IconPencil,
  IconReceipt,
  IconToolsKitchen2,
  IconUserShield,
} from "@tabler/icons-react";
import type { OrderVersion, VersionKind } from "@comanda/protocol";
import { ONLY_STATION } from "@comanda/rules";
import type { ReactNode } from "react";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useHubText } from "@comanda/ui/hub-sentences.ts";
import { useBackOfficeText } from "../../components/failures/back-office-reason.ts";
import { useOrderLabels } from "../../components/labels.ts";
import { OrderLink } from "../../components/order-link.tsx";
import type { Tone } from "../../components/layout/status-mark.tsx";
import { useFormat } from "@comanda/ui/format.ts";
import { OrderFacts } from "./order-facts.tsx";
import { FiscalNote, toneOfFiscal } from "./fiscal-state.tsx";
import { type Presentation, usePresentationOfMoney } from "./timeline-money.ts";
import type { ForwardAttempt, ShownEntry, StoryItem, TicketSent } from "./timeline-story.ts";

/** One event of an order. `children` are its actions. */
export function TimelineItem({ item, children }: { item: StoryItem; children: ReactNode }) {
  const format = useFormat();
  const { tone, Icon, title, by, note, noteTone, more } = usePresentation(item);
  return (
    <li>
      <time className="timeline-time num soft" dateTime={item.at} title={format.dateTime(item.at)}>
        {format.timeExact(item.at)}
      </time>
      <span className="timeline-mark" data-tone={tone}>
        <Icon size={14} stroke={2} aria-hidden />
      </span>
      <div>
        <p className="timeline-what">
          {title} {by !== undefined && <span className="soft timeline-by">· {by}</span>} {children}
        </p>
        {Boolean(note) && (
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
  signed: IconReceipt,
};

function versionTone(kind: VersionKind, isMerge: boolean): Tone {
  if (isMerge) return "accent";
  if (kind === "discarded" || kind === "reverted" || kind === "tender_voided") return "warn";
  return kind === "paid" || kind === "closed" ? "good" : "accent";
}

/** Actions whose note a person wrote, or whose note consists of names and numbers. */
const actsWithNote: ReadonlySet<string> = new Set([
  "forward.set_aside",
  "payment.settle",
  "change.apply",
  "change.dismiss",
  "fiscal.retry",
  "loss.take_over",
  "loss.dismiss",
]);

function usePresentation(item: StoryItem): Presentation {
  const { t, format } = useTranslation("orders");
  const presentEntry = usePresentationOfEntry();
  const authorOf = useAuthor();
  switch (item.kind) {
    case "entry":
      return presentEntry(item.entry);
    case "sent": {
      const { version, tickets } = item;
      const isLate = tickets.some(({ late }) => late);
      return {
        tone: isLate ? "warn" : "accent",
        Icon: IconToolsKitchen2,
        title: t("kind.sent"),
        by: version === null ? (tickets[0]?.by ?? "") : authorOf(version),
        note: <Stations tickets={tickets} />,
        more: (
          <>
            {isLate && (
              <p className="timeline-note" data-tone="warn">
                {t("ticketLate")}
              </p>
            )}
            {version !== null && <OrderFacts facts={version.facts} />}
          </>
        ),
      };
    }
    case "not_forwarded": {
      const { attempts, at } = item;
      return {
        tone: "bad",
        Icon: IconBuildingBank,
        title: t("notForwarded", { count: attempts.length, time: format.time(at) }),
        more: <AnswersFold attempts={attempts} />,
      };
    }
    case "forwarded": {
      const { version, attempt } = item;
      const notes = [
        attempt.attempt > 1 && t("atAttempt", { attempt: attempt.attempt }),
        attempt.outcome === "duplicate" && t("hadItAlready"),
      ];
      return { ...presentEntry({ kind: "version", at: version.at, version }), note: notes.filter(Boolean).join(" · ") };
    }
  }
}

/** How many dishes each station got. */
function Stations({ tickets }: { tickets: readonly TicketSent[] }) {
  const { t } = useTranslation(["orders", "common"]);
  const parts = tickets.map(({ stationName, quantity }) => {
    const dishes = t("common:items", { count: quantity });
    return stationName === null ? dishes : t("stationGot", { station: stationName, dishes });
  });
  return parts.join(" · ");
}

/** The back-office's own text for each failed attempt, latest first. */
function AnswersFold({ attempts }: { attempts: readonly ForwardAttempt[] }) {
  const { t, format } = useTranslation("orders");
  const backOfficeText = useBackOfficeText();
  return (
    <details className="timeline-more">
      <summary>{t("answers")}</summary>
      <ul className="plain-list">
        {attempts.toReversed().map(({ attempt, at, error, errorCode }) => (
          <li key={attempt}>
            <span className="num">{format.timeExact(at)}</span>{" "}
            {error === null ? t("noAnswer") : backOfficeText(error, errorCode)}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Returns a function that says who wrote a version, where, and who approved it. */
function useAuthor(): (version: OrderVersion) => string {
  const { t } = useTranslation("orders");
  const labels = useOrderLabels();
  return ({ origin, userName, approvedBy }) => {
    const writer = labels.writer(origin);
    const author = userName === null ? writer : `${userName} (${writer})`;
    return approvedBy === undefined ? author : t("approved", { author, approver: approvedBy });
  };
}

function usePresentationOfEntry(): (entry: ShownEntry) => Presentation {
  const { t, format } = useTranslation(["orders", "common"]);
  const labels = useOrderLabels();
  const authorOf = useAuthor();
  const presentMoney = usePresentationOfMoney();
  const hubText = useHubText();
  const backOfficeText = useBackOfficeText();
  return (entry) => {
    switch (entry.kind) {
      case "version": {
        const { kind, reason, mergedInto, fiscal } = entry.version;
        const isMerge = mergedInto !== undefined;
        // Later entries, and the top of the check, say whether a pending number has arrived.
        const answer = fiscal?.status === "pending" ? undefined : fiscal?.status;
        return {
          tone: answer === undefined ? versionTone(kind, isMerge) : toneOfFiscal[answer],
          Icon: iconOf[kind] ?? IconPencil,
          title: isMerge ? t("merged") : t(`kind.${kind}`),
          by: authorOf(entry.version),
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
              <OrderFacts facts={entry.version.facts} />
            </>
          ),
        };
      }
      case "ticket_seen": {
        const { stationName, stationId } = entry;
        const station = stationName ?? (stationId === ONLY_STATION || isOpaque(stationId) ? null : stationId);
        return {
          tone: "good",
          Icon: IconEye,
          title: station === null ? t("ticketSeenSomewhere") : t("ticketSeen", { station }),
        };
      }
      case "ticket_ready":
        return {
          tone: "good",
          Icon: IconToolsKitchen2,
          title: entry.stationName === null ? t("ticketReady") : t("ticketReadyAt", { station: entry.stationName }),
          note: t("madeIn", { duration: format.age(Date.parse(entry.at) - Date.parse(entry.sentAt)) }),
        };
      case "payment":
      case "tender_voided":
      case "payment_unapplied":
      case "credit_note":
        return presentMoney(entry);
      case "forward": {
        const good = entry.outcome === "finalized" || entry.outcome === "duplicate";
        return {
          tone: good ? "good" : entry.outcome === "failed" ? "bad" : "warn",
          Icon: IconBuildingBank,
          title: t(`forwardOutcome.${entry.outcome}`),
          // For an order that was set aside, this is the manager's reason, not an answer of the back-office.
          note:
            entry.error === null
              ? null
              : entry.outcome === "set_aside"
                ? hubText(entry.error)
                : backOfficeText(entry.error, entry.errorCode),
        };
      }
      case "operator":
        return {
          tone: "warn",
          Icon: IconUserShield,
          title: knownText(t, `act.${entry.action}`) ?? t("act.other"),
          by: labels.writer(entry.userName),
          note: actsWithNote.has(entry.action) && entry.note !== null ? hubText(entry.note) : null,
        };
    }
  };
}

/** Whether an id was generated by a machine: 32 hexadecimal digits or a UUID. */
function isOpaque(id: string): boolean {
  return /^[\da-f-]{32,}$/i.test(id);
}

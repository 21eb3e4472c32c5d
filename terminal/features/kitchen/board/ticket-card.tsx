import type { KitchenTicket } from "@comanda/protocol";
import { remainingQuantity } from "@comanda/rules";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { memo, useEffect, useRef } from "react";
import { Age } from "../tickets/age.tsx";
import { CheckNotes } from "../tickets/check-notes.tsx";
import { FinishedTicket } from "../sheets/lazy-sheets.ts";
import { TicketLineRow } from "./ticket-line.tsx";
import { useTicketTitle } from "../tickets/ticket-title.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";
import { useMarkSeen } from "./use-seen.ts";
import { IconCheck, IconEye } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { hasUnseenCancel, isNewWork } from "../tickets/ticket-facts.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";

interface Props {
  ticket: KitchenTicket;
  /** Whether the ticket is finished and keeps its place for a moment. */
  isDone: boolean;
  /** The course of a ticket that follows earlier ones of its check; empty if ordered in addition, null if it is the first. */
  courseAfter: string | null;
  isOnShift: boolean;
  /** Whether the screen shows tickets of several stations. */
  isStationNamed: boolean;
  /** The digit that selects the ticket on a bump bar. */
  place: string | null;
  /** Whether the bump bar is on the ticket. */
  isSelected: boolean;
  /** The line selected by the bump bar; null for none, or for the whole ticket. */
  selectedLine: string | null;
  /** Whether the ticket has the dish that is marked in the sums. */
  emphasis: "marked" | "dimmed" | null;
  acts: KitchenActs;
  onParts: (ticket: KitchenTicket, lineId: string) => void;
}

/** A ticket: its check, its age and its dishes, each with a tap zone large enough for a knuckle. */
export const TicketCard = memo(function TicketCard({
  ticket,
  isDone,
  courseAfter,
  isOnShift,
  isStationNamed,
  place,
  isSelected,
  selectedLine,
  emphasis,
  acts,
  onParts,
}: Props) {
  const element = useRef<HTMLElement>(null);
  const { title, about } = useTicketTitle()(ticket);
  useMarkSeen(element, ticket, isOnShift && !isDone);
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <article
      ref={element}
      className="ticket"
      aria-label={title}
      data-gone={isDone || undefined}
      data-selected={isSelected || undefined}
      data-emphasis={emphasis ?? undefined}
    >
      <header className="ticket-head">
        <h2 className="ticket-title">
          {place !== null && (
            <span className="ticket-key" aria-hidden>
              {place}
            </span>
          )}
          {title}
        </h2>
        {!isDone && <Age since={ticket.sentAt} lines={ticket.lines} />}
        <p className="ticket-whom">{joinWithDots(isStationNamed && ticket.stationName, about, ticket.sentBy)}</p>
        <TicketMarks ticket={ticket} courseAfter={courseAfter} isDone={isDone} />
        <CheckNotes of={ticket} others={ticket.alsoFor} />
      </header>
      {isDone ? (
        <FinishedTicket ticket={ticket} onTakeBack={() => acts.takeBack(ticket)} />
      ) : (
        <>
          <ul className="ticket-lines">
            {ticket.lines.map((line) => (
              <TicketLineRow
                key={line.lineId}
                ticket={ticket}
                line={line}
                isSelected={selectedLine === line.lineId}
                acts={acts}
                onParts={onParts}
              />
            ))}
          </ul>
          <TicketFoot ticket={ticket} title={title} acts={acts} />
        </>
      )}
    </article>
  );
});

/** The acts on a whole ticket: acknowledge a cancellation, mark all as ready, mark as served. */
function TicketFoot({ ticket, title, acts }: { ticket: KitchenTicket; title: string; acts: KitchenActs }) {
  const { t } = useTranslation("kitchen");
  const hasWork = ticket.lines.some((line) => remainingQuantity(line) > 0);
  return (
    <footer className="rows ticket-foot">
      {hasWork && (
        <ActButton kind="main" onAct={() => acts.bumpAll(ticket)}>
          <IconCheck aria-hidden />
          {t("allReady")}
        </ActButton>
      )}
      {!hasWork && ticket.serving && (
        <ActButton
          kind="main"
          onAct={() =>
            acts.served(
              title,
              ticket.lines.filter(({ state }) => state === "ready").map((line) => ({ ticket, line })),
            )
          }
        >
          {t("serve")}
        </ActButton>
      )}
      {hasUnseenCancel(ticket) && (
        <ActButton kind="danger" onAct={() => acts.seen(ticket)}>
          <IconEye aria-hidden />
          {t("acknowledge")}
        </ActButton>
      )}
    </footer>
  );
}

/** Marks of a ticket: priority, added or next course, late, cancelled, not yet seen. */
function TicketMarks({
  ticket,
  courseAfter,
  isDone,
}: {
  ticket: KitchenTicket;
  courseAfter: string | null;
  isDone: boolean;
}) {
  const { t, format } = useTranslation("kitchen");
  const terminal = useTerminal();
  const mark = (tone: string, text: string) => (
    <span className="kmark" data-tone={tone}>
      {text}
    </span>
  );
  return (
    <p className="ticket-marks">
      {ticket.priority === true && mark("bad", t("priority"))}
      {ticket.promisedAt !== undefined &&
        mark("warn", t("promisedAt", { time: format.upcoming(ticket.promisedAt, terminal.now()) }))}
      {courseAfter !== null &&
        mark("accent", courseAfter === "" ? t("addOn") : t("nextCourse", { course: courseAfter }))}
      {ticket.late === true && mark("warn", t("late"))}
      {!isDone && hasUnseenCancel(ticket) && mark("bad", t("cancelUnseen"))}
      {!isDone && isNewWork(ticket) && mark("accent", t("unseen"))}
    </p>
  );
}

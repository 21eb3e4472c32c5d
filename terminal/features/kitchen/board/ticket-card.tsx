import type { KitchenTicket } from "@comanda/protocol";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { memo, useEffect, useRef } from "react";
import { Age } from "../tickets/age.tsx";
import { FinishedTicket } from "../sheets/lazy-sheets.ts";
import { TicketFoot } from "./ticket-foot.tsx";
import { TicketLineRow } from "./ticket-line.tsx";
import { TicketMarks } from "./ticket-marks.tsx";
import { useTicketTitle } from "../tickets/ticket-title.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";
import { useMarkSeen } from "./use-seen.ts";

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
  const { title, details } = useTicketTitle()(ticket);
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
        <p className="ticket-whom">{joinWithDots(isStationNamed && ticket.stationName, ...details, ticket.sentBy)}</p>
        <TicketMarks ticket={ticket} courseAfter={courseAfter} isDone={isDone} />
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

import type { KitchenTicket } from "@comanda/protocol";
import { dotted } from "@comanda/ui/dotted.ts";
import { memo, useEffect, useRef } from "react";
import { Age } from "../tickets/age.tsx";
import { TicketGone } from "../sheets/lazy-sheets.ts";
import { TicketFoot } from "./ticket-foot.tsx";
import { TicketLineRow } from "./ticket-line.tsx";
import { TicketMarks } from "./ticket-marks.tsx";
import { useTicketTitle } from "../tickets/ticket-title.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";
import { useSeen } from "./use-seen.ts";

interface Props {
  ticket: KitchenTicket;
  /** It is finished and waits in its place for a moment. */
  isGone: boolean;
  /** The course that it brings after earlier tickets of its check; empty: it was ordered on top; null: it is the first. */
  courseAfter: string | null;
  isOnShift: boolean;
  /** The screen shows tickets of several stations. */
  isStationNamed: boolean;
  /** The digit that selects it on a bump bar. */
  place: string | null;
  /** The bump bar is on it. */
  isSelected: boolean;
  /** The line of it that the bump bar is on; null: none, or all of it. */
  selectedLine: string | null;
  /** Whether it is one of the tickets of a dish that was tapped in the sums. */
  emphasis: "marked" | "dimmed" | null;
  acts: KitchenActs;
  onParts: (ticket: KitchenTicket, lineId: string) => void;
}

/** One ticket: for whom, how long it has waited, and its dishes, each with a zone that a knuckle can hit. */
export const TicketCard = memo(function TicketCard({
  ticket,
  isGone,
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
  useSeen(element, ticket, isOnShift && !isGone);
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <article
      ref={element}
      className="ticket"
      aria-label={title}
      data-gone={isGone || undefined}
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
        {!isGone && <Age since={ticket.sentAt} lines={ticket.lines} />}
        <p className="ticket-whom">{dotted(isStationNamed && ticket.stationName, ...details, ticket.sentBy)}</p>
        <TicketMarks ticket={ticket} courseAfter={courseAfter} isGone={isGone} />
      </header>
      {isGone ? (
        <TicketGone ticket={ticket} onTakeBack={() => acts.takeBack(ticket)} />
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

import type { OperatorTicket } from "@comanda/protocol";
import { activeQuantity, modifierNames } from "@comanda/rules";
import { memo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { useOrderLabels } from "../../components/labels.ts";
import { OrderLink, orderPath } from "../../components/order-link.tsx";
import { StatusMark, type Tone } from "../../components/layout/status-mark.tsx";
import { Elapsed } from "../../components/layout/time.tsx";
import { wholeNumber } from "@comanda/ui/format.ts";
import { hasUnseenCancel } from "./ticket-tone.ts";
import { useStations } from "../../lib/stations.ts";
import "./ticket-card.css";

type Line = OperatorTicket["lines"][number];

interface TicketCardProps {
  ticket: OperatorTicket;
  tone: Tone;
  /** A search has just led to this ticket. */
  isFound: boolean;
}

/** One ticket: place and guest, how long it has waited, who has seen it, and what is ready. */
export const TicketCard = memo(function TicketCard({ ticket, tone, isFound }: TicketCardProps) {
  const { t, format } = useTranslation("kitchen");
  const labels = useOrderLabels();
  const stations = useStations();
  const place = labels.place(ticket);
  const stationName = (stationId: string) => stations.find(({ id }) => id === stationId)?.name ?? stationId;
  return (
    <article className={isFound ? "card ticket ticket-found" : "card ticket"} data-tone={tone} aria-label={place}>
      <header className="spread ticket-head">
        <Link href={orderPath(ticket.posReference)} className="row-link ticket-place">
          {wholeNumber(place)}
        </Link>
        <span className="ticket-age">
          {ticket.onPaper === true ? null : ticket.readyAt === null ? (
            <Elapsed since={ticket.sentAt} />
          ) : (
            t("took", { duration: format.duration(Date.parse(ticket.readyAt) - Date.parse(ticket.sentAt)) })
          )}
        </span>
      </header>
      <p className="soft ticket-whom">{ticket.customerName}</p>
      <div className="button-row ticket-marks">
        <StatusMark tone={tone}>{t(ticket.onPaper === true ? "onPaper" : `states.${ticket.state}`)}</StatusMark>
        {ticket.priority && <StatusMark tone="bad">{t("priority")}</StatusMark>}
        {ticket.late && <StatusMark tone="warn">{t("late")}</StatusMark>}
        {hasUnseenCancel(ticket) && <StatusMark tone="warn">{t("cancelUnseen")}</StatusMark>}
      </div>
      {ticket.late && ticket.queuedAt !== null && (
        <p className="ticket-note">
          {t("lateAbout", { duration: format.duration(Date.parse(ticket.sentAt) - Date.parse(ticket.queuedAt)) })}
        </p>
      )}
      <ul className="plain-list ticket-lines">
        {ticket.lines.map((line) => (
          <TicketLine key={line.lineId} line={line} ticket={ticket} />
        ))}
      </ul>
      {ticket.notes !== undefined && <p className="ticket-note">{ticket.notes}</p>}
      <footer className="soft ticket-foot">
        {t("sent")} {format.time(ticket.sentAt)} {t("by", { name: labels.writer(ticket.sentBy) })}
        {ticket.seen.map(({ stationId, at }) => (
          <span key={stationId}> · {t("seenAt", { station: stationName(stationId), time: format.time(at) })}</span>
        ))}
      </footer>
    </article>
  );
});

function TicketLine({ line, ticket }: { line: Line; ticket: OperatorTicket }) {
  const { t, format } = useTranslation(["kitchen", "common"]);
  const labels = useOrderLabels();
  const { quantity, cancelledQuantity, preparedQuantity, state } = line;
  const needed = activeQuantity(line);
  const isCancelled = state === "cancelled";
  const details = [
    modifierNames(line.modifiers).join(", "),
    line.note,
    line.specialRequest,
    line.seat !== undefined && line.seat !== null && t("seat", { seat: line.seat }),
    line.course !== undefined && line.course !== null && t("course", { course: line.course }),
  ].filter(Boolean);
  const others = line.posReferences.filter((reference) => reference !== ticket.posReference);
  const placeOf = (reference: string) => {
    const address = ticket.alsoFor.find(({ posReference }) => posReference === reference);
    return address === undefined ? null : `→ ${labels.place(address)} · `;
  };
  return (
    <li className={isCancelled ? "voided" : undefined}>
      <span className="num ticket-quantity">{format.quantity(isCancelled ? quantity : needed)}</span>
      <span>
        {line.name}
        {line.allergy !== null && (
          <span className="ticket-sub ticket-bad">{t("common:allergy", { what: line.allergy })}</span>
        )}
        {details.length > 0 && <span className="ticket-sub">{details.join(" · ")}</span>}
        {!isCancelled && cancelledQuantity > 0 && (
          <span className="ticket-sub ticket-warn">
            {t("partCancelled", { count: cancelledQuantity, quantity: format.quantity(cancelledQuantity) })}
          </span>
        )}
        {line.soldOut === true && <span className="ticket-sub ticket-warn">{t("soldOut")}</span>}
        {others.map((reference) => (
          <span key={reference} className="ticket-sub">
            {placeOf(reference)}
            {t("nowOn")} <OrderLink posReference={reference} />
          </span>
        ))}
      </span>
      <span className="num soft">
        {state === "started" || (preparedQuantity > 0 && preparedQuantity < needed)
          ? t("progress", { prepared: format.quantity(preparedQuantity), quantity: format.quantity(needed) })
          : t(`lineStates.${state}`)}
      </span>
    </li>
  );
}

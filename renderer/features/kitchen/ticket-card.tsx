import type { OperatorTicket } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useCatalogue, useOrderLabels } from "../../components/labels.ts";
import { orderPath } from "../../components/order-link.tsx";
import { StatusMark, type Tone } from "../../components/status-mark.tsx";
import { Elapsed } from "../../components/time.tsx";
import { useFormat } from "../../lib/format.ts";
import "./ticket-card.css";

/** One ticket: where it goes, how long it has waited, who has seen it, what of it is ready. */
export function TicketCard({ ticket, tone }: { ticket: OperatorTicket; tone: Tone }) {
  const { t } = useTranslation("kitchen");
  const format = useFormat();
  const labels = useOrderLabels();
  const { products } = useCatalogue();
  const place = labels.place(ticket);
  return (
    <article className="card ticket" data-tone={tone} aria-label={place}>
      <header className="ticket-head">
        <Link href={orderPath(ticket.posReference)} className="row-link ticket-place">
          {place}
        </Link>
        <span className="ticket-age">
          {ticket.readyAt === null ? (
            <Elapsed since={ticket.sentAt} />
          ) : (
            t("took", { duration: format.duration(Date.parse(ticket.readyAt) - Date.parse(ticket.sentAt)) })
          )}
        </span>
      </header>
      <div className="ticket-marks">
        <StatusMark tone={tone}>{t(`states.${ticket.state}`)}</StatusMark>
        {ticket.late && <StatusMark tone="warn">{t("late")}</StatusMark>}
      </div>
      {ticket.late && ticket.queuedAt !== null && (
        <p className="ticket-note">
          {t("lateAbout", { duration: format.duration(Date.parse(ticket.sentAt) - Date.parse(ticket.queuedAt)) })}
        </p>
      )}
      <ul className="plain-list ticket-lines">
        {ticket.lines.map((line) => (
          <li key={line.lineId} className={line.state === "cancelled" ? "voided" : undefined}>
            <span className="num ticket-quantity">{format.number(line.quantity)}</span>
            <span>
              {(line.productId === null ? undefined : products[line.productId]) ?? line.name ?? line.productId}
              {line.note !== null && <span className="ticket-sub">{line.note}</span>}
            </span>
            <span className="num soft">
              {line.state === "cancelled"
                ? t("voided")
                : line.preparedQuantity > 0
                  ? t("progress", { prepared: line.preparedQuantity, quantity: line.quantity })
                  : ""}
            </span>
          </li>
        ))}
      </ul>
      <footer className="ticket-foot">
        {t("sent")} {format.time(ticket.sentAt)} {t("by", { name: labels.writer(ticket.sentBy) })}
        {ticket.seen.map(({ stationId, at }) => (
          <span key={stationId}> · {t("seenAt", { station: stationId, time: format.time(at) })}</span>
        ))}
      </footer>
    </article>
  );
}

import type { OperatorTicket } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Lasting } from "../../../components/age.tsx";
import { StatusMark, type Tone } from "../../../components/status-mark.tsx";
import { useWords } from "../../../components/use-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useCatalogue } from "../api/catalogue.ts";
import "./ticket-card.css";

/** One ticket: where it goes, how long it has waited, who has seen it, what of it is ready. */
export function TicketCard({ ticket, tone }: { ticket: OperatorTicket; tone: Tone }) {
  const { t } = useTranslation("kitchen");
  const format = useFormat();
  const words = useWords();
  const catalogue = useCatalogue();
  return (
    <article className="ticket" data-tone={tone} aria-label={words.place(ticket, catalogue?.tables ?? {})}>
      <header className="ticket-head">
        <Link href={`/orders/${encodeURIComponent(ticket.posReference)}`} className="ticket-place">
          {words.place(ticket, catalogue?.tables ?? {})}
        </Link>
        <span className="ticket-age">
          {ticket.readyAt === null ? (
            <Lasting since={ticket.sentAt} />
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
      <ul className="ticket-lines">
        {ticket.lines.map((line) => (
          <li key={line.lineId} className={line.voided ? "line-out" : undefined}>
            <span className="num ticket-quantity">{format.number(line.quantity)}</span>
            <span>
              {(line.productId === null ? undefined : catalogue?.products[line.productId]) ??
                line.name ??
                line.productId}
              {line.note !== null && <span className="ticket-sub">{line.note}</span>}
            </span>
            <span className="num soft">
              {line.voided
                ? t("voided")
                : line.preparedQuantity > 0
                  ? t("progress", { prepared: line.preparedQuantity, quantity: line.quantity })
                  : ""}
            </span>
          </li>
        ))}
      </ul>
      <footer className="ticket-foot">
        {t("sent")} {format.time(ticket.sentAt)} {t("by", { name: words.writer(ticket.sentBy) })}
        {ticket.seen.map(({ stationId, at }) => (
          <span key={stationId}> · {t("seenAt", { station: stationId, time: format.time(at) })}</span>
        ))}
      </footer>
    </article>
  );
}

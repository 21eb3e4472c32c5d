import type { KitchenTicket } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { hasUnseenCancel } from "./ticket-facts.ts";

/** What is to be known of a ticket at a glance: ordered on top, late, cancelled, not seen yet. */
export function TicketMarks({ ticket, isAddOn, isGone }: { ticket: KitchenTicket; isAddOn: boolean; isGone: boolean }) {
  const { t } = useTranslation("kitchen");
  return (
    <p className="ticket-marks">
      {isAddOn && (
        <span className="kmark" data-tone="accent">
          {t("addOn")}
        </span>
      )}
      {ticket.late === true && (
        <span className="kmark" data-tone="warn">
          {t("late")}
        </span>
      )}
      {hasUnseenCancel(ticket) && (
        <span className="kmark" data-tone="bad">
          {t("cancelUnseen")}
        </span>
      )}
      {!isGone && ticket.lines.some(({ state }) => state === "unseen") && (
        <span className="kmark" data-tone="accent">
          {t("unseen")}
        </span>
      )}
    </p>
  );
}

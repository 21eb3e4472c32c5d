import type { KitchenTicket } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { hasUnseenCancel } from "./ticket-facts.ts";

/** What is to be known of a ticket at a glance: priority, ordered on top or the next course, late, cancelled, not seen yet. */
export function TicketMarks({
  ticket,
  courseAfter,
  isGone,
}: {
  ticket: KitchenTicket;
  courseAfter: string | null;
  isGone: boolean;
}) {
  const { t } = useTranslation("kitchen");
  return (
    <p className="ticket-marks">
      {ticket.priority === true && (
        <span className="kmark" data-tone="bad">
          {t("priority")}
        </span>
      )}
      {courseAfter !== null && (
        <span className="kmark" data-tone="accent">
          {courseAfter === "" ? t("addOn") : t("nextCourse", { course: courseAfter })}
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

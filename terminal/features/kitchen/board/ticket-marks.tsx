import type { KitchenTicket } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { hasUnseenCancel, isNewWork } from "../tickets/ticket-facts.ts";

/** Marks of a ticket: priority, added or next course, late, cancelled, not yet seen. */
export function TicketMarks({
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

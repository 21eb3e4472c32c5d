import { useTranslation } from "@comanda/ui/translation.ts";
import type { KitchenTicket } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { useTicketTitle } from "../tickets/ticket-title.ts";

/** The finished tickets, newest first; a tap reopens one. */
export function RecallSheet({
  tickets,
  onRecall,
  onClose,
}: {
  tickets: readonly KitchenTicket[];
  onRecall: (ticket: KitchenTicket) => void;
  onClose: () => void;
}) {
  const { t, format } = useTranslation(["kitchenMore", "kitchen"]);
  const titleOf = useTicketTitle();
  return (
    <Sheet title={t("kitchen:recall")} onClose={onClose}>
      <div className="tight kitchen-sheet">
        {tickets.length === 0 && <p>{t("nothingToRecall")}</p>}
        {tickets.map((ticket) => (
          <ActButton
            key={ticket.id}
            className="recall"
            onAct={() => {
              onClose();
              onRecall(ticket);
            }}
          >
            <strong>{titleOf(ticket).title}</strong>
            <span>
              {ticket.lines
                .filter(({ preparedQuantity }) => preparedQuantity > 0)
                .map(({ preparedQuantity, name }) => `${format.quantity(preparedQuantity)} ${name}`)
                .join(", ")}
            </span>
            <span>{format.time(ticket.readyAt ?? ticket.sentAt)}</span>
          </ActButton>
        ))}
      </div>
    </Sheet>
  );
}

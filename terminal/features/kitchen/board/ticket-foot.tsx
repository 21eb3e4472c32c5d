import type { KitchenTicket } from "@comanda/protocol";
import { IconCheck, IconEye } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { hasUnseenCancel, remainingQuantity } from "../tickets/ticket-facts.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";

/** The acts on a whole ticket: acknowledge a cancellation, mark all as ready, mark as served. */
export function TicketFoot({ ticket, title, acts }: { ticket: KitchenTicket; title: string; acts: KitchenActs }) {
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

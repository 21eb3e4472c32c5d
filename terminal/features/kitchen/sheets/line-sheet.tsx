import type { KitchenTicket, TicketLine } from "@comanda/protocol";
import { activeQuantity } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { announceStock } from "../../../lib/menu/announce-stock.ts";
import { useTicketTitle } from "../tickets/ticket-title.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";

/** With more keys the right one is hard to find; the whole line is one tap away. */
const MAX_KEYS = 24;

/** Sets how much of a dish is ready, and marks it as begun or sold out. */
export function LineSheet({
  ticket,
  line,
  acts,
  onClose,
}: {
  ticket: KitchenTicket;
  line: TicketLine;
  acts: KitchenActs;
  onClose: () => void;
}) {
  const { t, format } = useTranslation("kitchenMore");
  const titleOf = useTicketTitle();
  const terminal = useTerminal();
  const { name, productId } = line;
  const active = activeQuantity(line);
  const steps = Array.from({ length: Math.min(Math.floor(active), MAX_KEYS) + 1 }, (_, quantity) => quantity);
  const quantities = steps.at(-1) === active ? steps : [...steps, active];
  const act = (run: () => void) => () => {
    onClose();
    run();
  };
  return (
    <Sheet title={`${format.quantity(active)} ${name}`} onClose={onClose}>
      <div className="tight kitchen-sheet">
        <Choices
          legend={t("howMany")}
          className="quantity-keys"
          of={quantities}
          chosen={line.preparedQuantity}
          text={format.number}
          onChoose={(quantity) => act(() => acts.bump(ticket, line, quantity))()}
        />
        <ActButton onAct={act(() => acts.begin(ticket, line))}>{t("begin")}</ActButton>
        <ActButton
          aria-pressed={ticket.priority === true}
          onAct={act(() => acts.prioritize(titleOf(ticket).title, [ticket], ticket.priority !== true))}
        >
          {t(ticket.priority === true ? "unprioritize" : "prioritize")}
        </ActButton>
        {productId !== null && (
          <ActButton
            kind="danger"
            className="kitchen-apart"
            onAct={act(() => announceStock(terminal, { productId, state: "out" }, t("markedOut", { name })))}
          >
            {t("markOut")}
          </ActButton>
        )}
      </div>
    </Sheet>
  );
}

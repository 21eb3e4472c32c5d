import type { LocalOrder } from "@comanda/terminal";
import { IconRepeat } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { countItems } from "../../../checks/check-lines.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";
import { lastRound, sameRoundAgain } from "./same-round.ts";

/** Repeats the last round. Renders nothing if there was none. */
export function SameRound({ order, menu, onSent }: { order: LocalOrder; menu: MenuIndex; onSent: () => void }) {
  const { t } = useTranslation("order");
  const terminal = useTerminal();
  const tickets = useLive("tickets");
  const recent = useLive("recentTickets");
  const round = lastRound(order.snapshot, [...tickets, ...recent]);
  if (round.length === 0) return null;
  const count = countItems(round.map(({ quantity }) => quantity));
  return (
    <ActButton
      className="send"
      onAct={() => {
        if (sameRoundAgain(terminal, menu, order)) onSent();
      }}
    >
      <IconRepeat size={22} aria-hidden />
      <span>
        <span>{t("sameRound")}</span>
        <span className="act-more">{t("dishes", { count })}</span>
      </span>
    </ActButton>
  );
}

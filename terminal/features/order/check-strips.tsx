import { sum } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { IconRepeat } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import type { MenuIndex } from "../../lib/menu-index.ts";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { toSend } from "../../checks/check-lines.ts";
import { HeldCourses } from "../../checks/unsent-strips.tsx";
import { SoldOutStrip } from "./sold-out-strip.tsx";
import { lastRound, sameRoundAgain } from "./same-round.ts";

/** What the check proposes beside Send: the courses that wait, and the last round once more. */
export function CheckStrips({ order, menu, onSent }: { order: LocalOrder; menu: MenuIndex; onSent: () => void }) {
  const isAllSent = toSend(order.snapshot.lines).length === 0;
  return (
    <div className="check-strips">
      <SoldOutStrip order={order} menu={menu} />
      <HeldCourses order={order} />
      {isAllSent && <SameRound order={order} menu={menu} onSent={onSent} />}
    </div>
  );
}

function SameRound({ order, menu, onSent }: { order: LocalOrder; menu: MenuIndex; onSent: () => void }) {
  const { t } = useTranslation("order");
  const terminal = useTerminal();
  const tickets = useLive("tickets");
  const recent = useLive("recentTickets");
  const round = lastRound(order.snapshot, [...tickets, ...recent]);
  if (round.length === 0) return null;
  const count = sum(round.map(({ quantity }) => quantity));
  return (
    <ActButton
      className="same-round"
      onAct={() => {
        if (sameRoundAgain(terminal, menu, order)) onSent();
      }}
    >
      <IconRepeat size={22} aria-hidden />
      {t("sameRound")}
      <span className="act-more">{t("dishes", { count })}</span>
    </ActButton>
  );
}

import type { StoredLine } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { IconFlame, IconRepeat } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import type { MenuIndex } from "../../lib/menu-index.ts";
import { useLive, useTerminal } from "../../lib/pos.ts";
import { heldCourses, isUnsent } from "../../checks/check-lines.ts";
import { lastRound, sameRoundAgain } from "./same-round.ts";
import { sendCheck } from "./send-check.ts";

/** What the check proposes beside Send: the courses that wait, and the last round once more. */
export function CheckStrips({ order, menu, onSent }: { order: LocalOrder; menu: MenuIndex; onSent: () => void }) {
  const held = heldCourses(order.snapshot.lines);
  const isAllSent = !order.snapshot.lines.some(isUnsent);
  return (
    <div className="check-strips">
      {held.map(({ course, lines }) => (
        <HeldCourse key={course} order={order} course={course} lines={lines} />
      ))}
      {isAllSent && <SameRound order={order} menu={menu} onSent={onSent} />}
    </div>
  );
}

function HeldCourse({ order, course, lines }: { order: LocalOrder; course: number; lines: readonly StoredLine[] }) {
  const { t } = useTranslation("order");
  const format = useFormat();
  const terminal = useTerminal();
  const sentAt = order.snapshot.lines.reduce(
    (latest, { kitchenSentAt = "" }) => (kitchenSentAt > latest ? kitchenSentAt : latest),
    "",
  );
  const wait = useTextAt(() => (sentAt === "" ? "" : format.durationShort(terminal.now() - Date.parse(sentAt))));
  const count = sum(lines.map(({ quantity }) => quantity));
  return (
    <div className="check-strip" data-tone="accent">
      <span className="check-strip-text">
        <span>
          <strong>{t("course", { course })}</strong> · {t("dishes", { count })}
        </span>
        <span className="soft">{wait === "" ? t("held") : t("heldFor", { wait })}</span>
      </span>
      <ActButton size="small" aria-label={t("fire", { course })} onAct={() => void sendCheck(terminal, order, lines)}>
        <IconFlame size={20} aria-hidden />
        {t("fireShort")}
      </ActButton>
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

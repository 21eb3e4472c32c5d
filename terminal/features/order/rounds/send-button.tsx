import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { toSend } from "../../../checks/check-lines.ts";
import { countsByStation, sendCheck } from "../../../checks/send-check.ts";

/** Sends the unsent lines. The button names the table and how much each station gets. */
export function SendButton({
  title,
  order,
  menu,
  onSent,
}: {
  title: string;
  order: LocalOrder | undefined;
  menu: MenuIndex;
  onSent: () => void;
}) {
  const { t } = useTranslation(["order", "common"]);
  const terminal = useTerminal();
  const lines = toSend(order?.snapshot.lines ?? []);
  return (
    <ActButton
      kind="main"
      className="send"
      disabled={lines.length === 0}
      onAct={() => {
        // The rendered order may lag behind the taps on tiles.
        const latest = order === undefined ? undefined : terminal.order(order.posReference);
        if (latest !== undefined && sendCheck(terminal, latest)) onSent();
      }}
    >
      <span>
        <span>
          {t("send")} · {title}
        </span>
        <span className="act-more">
          {countsByStation(lines, menu)
            .map(({ name, quantity }) => `${name ?? t("common:kitchen")} ${quantity}`)
            .join(" · ")}
        </span>
      </span>
    </ActButton>
  );
}

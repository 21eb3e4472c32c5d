import type { StoredLine } from "@comanda/protocol";
import { changeQuantity, removeLine, type LocalOrder, type OrderContent } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { nameOf, toSend } from "../../../checks/check-lines.ts";
import { isBlank } from "../../../checks/nothing-left.ts";
import { sendCheck } from "../../../checks/send-check.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";
import { attempt } from "../../../lib/page/show-refusal.ts";
import { shortLines } from "./stock.ts";

/**
 * What has run out before it was sent, with the two ways: take it off, or send the rest. It stays until somebody has decided,
 * on every device, because it follows from the check and the stock.
 */
export function SoldOutStrip({ order, menu }: { order: LocalOrder; menu: MenuIndex }) {
  const { t } = useTranslation("order");
  const format = useFormat();
  const terminal = useTerminal();
  const states = useLive("itemStates");
  const lines = toSend(order.snapshot.lines);
  const out = shortLines(lines, states);
  if (out.length === 0) return null;
  const rest = lines.filter((line) => !out.includes(line));
  const remove = (): void => {
    const isNothingLeft = out.length === order.snapshot.lines.length && isBlank(order.snapshot);
    attempt(() =>
      isNothingLeft
        ? terminal.discardOrder(order.posReference)
        : terminal.editOrder(order.posReference, (content) =>
            out.reduce((next, line) => without(next, line, menu), content),
          ),
    );
  };
  return (
    <div className="strip" data-tone="bad" role="status">
      <span className="strip-text">
        <strong>{t("ranOut", { names: format.list([...new Set(out.map(nameOf))]) })}</strong>
      </span>
      <ActButton size="small" onAct={remove}>
        {t("removeLine")}
      </ActButton>
      {rest.length > 0 && (
        <ActButton size="small" onAct={() => void sendCheck(terminal, order, rest)}>
          {t("sendRest")}
        </ActButton>
      )}
    </div>
  );
}

/** The content without what the kitchen does not have of a line. */
function without(content: OrderContent, { id, sentQuantity = 0 }: StoredLine, menu: MenuIndex): OrderContent {
  return sentQuantity === 0 ? removeLine(content, id) : changeQuantity(content, id, sentQuantity, menu.menu);
}

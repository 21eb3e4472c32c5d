import { sum } from "@comanda/rules";
import { changeQuantity, removeLine, type LocalOrder, type OrderContent } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { dishName, isHeld, toSend } from "./check-lines.ts";
import { isBlank } from "./nothing-left.ts";
import { sendCheck } from "./send-check.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { MenuIndex } from "../lib/menu/menu-index.ts";
import { useLive, useTerminal } from "../lib/connection/pos.ts";
import { attempt } from "../lib/page/show-refusal.ts";
import { shortLines, type ShortLine } from "./short-lines.ts";
import "./sold-out-strip.css";

/**
 * Warns of dishes that sold out before they were sent, and offers to remove them or to send the rest. It follows from the check
 * and the stock, so it stays on every device until that is done.
 */
export function SoldOutStrip({ order, menu }: { order: LocalOrder; menu: MenuIndex }) {
  const { t, format } = useTranslation(["order", "check"]);
  const terminal = useTerminal();
  const states = useLive("itemStates");
  const lines = toSend(order.snapshot.lines);
  // Includes held courses, so that the guests can choose something else before theirs is fired.
  const waiting = order.snapshot.lines.filter(isHeld);
  const short = shortLines([...lines, ...waiting], states);
  if (short.length === 0) return null;
  const rest = lines.filter((line) => short.every((each) => each.line !== line));
  const isOut = short.every(({ left }) => left === 0);
  const names = short.map(({ line, left }) => {
    const name = dishName(line, menu);
    return left === 0 ? name : t("nameLeft", { name, left: t("left", { count: left }) });
  });
  const remove = (): void => {
    const isNothingLeft = isOut && short.length === order.snapshot.lines.length && isBlank(order.snapshot);
    attempt(() =>
      isNothingLeft
        ? terminal.discardOrder(order.posReference)
        : terminal.editOrder(order.posReference, (content) =>
            short.reduce((next, each) => without(next, each, menu), content),
          ),
    );
  };
  return (
    <div className="strip ran-out" data-tone="bad" role="status">
      <span className="strip-text">
        <strong>{t(isOut ? "ranOut" : "tooFew", { names: format.list([...new Set(names)]) })}</strong>
      </span>
      <ActButton size="small" onAct={remove}>
        {t(isOut ? "check:remove" : "keepLeft")}
      </ActButton>
      {rest.length > 0 && (
        <ActButton size="small" onAct={() => void sendCheck(terminal, order, rest)}>
          {t("sendRest")}
        </ActButton>
      )}
    </div>
  );
}

/** Returns the content without the part of a line that is sold out. */
function without(content: OrderContent, { line, left }: ShortLine, menu: MenuIndex): OrderContent {
  const { id, sentQuantity = 0 } = line;
  const remaining = sum([sentQuantity, left]);
  return remaining === 0 ? removeLine(content, id) : changeQuantity(content, id, remaining, menu.menu);
}

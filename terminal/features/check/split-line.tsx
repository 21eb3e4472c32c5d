import type { StoredLine } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { choiceOf, nameOf } from "../../checks/check-lines.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { SplitPreview } from "./use-split.ts";

/** A line that is split: a tap gives one of it to the pressed part, and it can be shared by all. */
export function SplitLine({ line, split }: { line: StoredLine; split: SplitPreview }) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const { parts, heldOf, giveLine, shareLine } = split;
  const { seat } = choiceOf(line);
  return (
    <li className="split-line">
      <button type="button" className="line" onClick={() => giveLine(line)}>
        <span className="line-quantity">{format.number(line.quantity)}</span>
        <span className="line-dish">{nameOf(line)}</span>
        <span className="line-about">
          {seat !== undefined && <b className="line-seat">{t("seat", { seat })}</b>}
          {heldOf(line).map(
            (quantity, index) =>
              quantity > 0 && (
                <span key={index}>{t("inPart", { number: index + 1, quantity: format.number(quantity) })}</span>
              ),
          )}
        </span>
        <span className="money">{format.money(line.total ?? 0)}</span>
      </button>
      <ActButton size="small" aria-label={t("shareLine", { parts, name: nameOf(line) })} onAct={() => shareLine(line)}>
        ÷ {parts}
      </ActButton>
    </li>
  );
}

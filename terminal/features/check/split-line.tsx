import type { StoredLine } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "react-i18next";
import { nameOf } from "../../checks/check-lines.ts";
import { ActButton } from "../../components/act-button.tsx";
import type { SplitPreview } from "./use-split.ts";

/** A line that is split: a tap gives one of it to the pressed part, and it can be shared by all. */
export function SplitLine({ line, split }: { line: StoredLine; split: SplitPreview }) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const { parts, heldOf, giveLine, shareLine } = split;
  return (
    <li className="split-line">
      <button type="button" className="line-main" onClick={() => giveLine(line)}>
        <span className="line-quantity">{format.number(line.quantity)}</span>
        <span className="line-name">
          <span className="line-dish">{nameOf(line)}</span>
          <span className="line-note">
            {heldOf(line)
              .flatMap((quantity, index) =>
                quantity > 0 ? [t("inPart", { number: index + 1, quantity: format.number(quantity) })] : [],
              )
              .join(" · ")}
          </span>
        </span>
        <span className="money">{format.money(line.total ?? 0)}</span>
      </button>
      <ActButton size="small" aria-label={t("shareLine", { parts, name: nameOf(line) })} onAct={() => shareLine(line)}>
        ÷ {parts}
      </ActButton>
    </li>
  );
}

import { subtract, sum } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { ModifierChoice } from "./modifier-choices.ts";

/** How much of a dish, what that costs, and the last tap, once every choice that must be made is made. */
export function ChoiceBar({
  quantity,
  onQuantity,
  total,
  open,
  isNew,
  onDone,
}: {
  quantity: number;
  onQuantity: (quantity: number) => void;
  total: number;
  /** The first choice that still lacks something. */
  open: ModifierChoice | undefined;
  isNew: boolean;
  onDone: () => void;
}) {
  const { t } = useTranslation("order");
  const format = useFormat();
  return (
    <div className="choice-bar">
      <div className="stepper">
        <ActButton
          isRepeatable
          aria-label={t("oneLess")}
          disabled={quantity <= 1}
          onAct={() => onQuantity(subtract(quantity, 1))}
        >
          <IconMinus size={22} aria-hidden />
        </ActButton>
        <output aria-label={t("quantity")}>{format.number(quantity)}</output>
        <ActButton isRepeatable aria-label={t("oneMore")} onAct={() => onQuantity(sum([quantity, 1]))}>
          <IconPlus size={22} aria-hidden />
        </ActButton>
      </div>
      <ActButton kind="main" className="send" disabled={open !== undefined} onAct={onDone}>
        {open === undefined ? (
          <span>
            <span>{t(isNew ? "addLine" : "keepLine")}</span>
            <span className="act-more money">{format.money(total)}</span>
          </span>
        ) : (
          t("choose", { what: open.name ?? "" })
        )}
      </ActButton>
    </div>
  );
}

import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Counter } from "../../../components/counter.tsx";
import type { ModifierChoice } from "./modifier-choices.ts";

/** How much of a dish, what that costs, and the last tap, once every choice that must be made is made. */
export function ChoiceBar({
  quantity,
  onQuantity,
  total,
  isTaxed,
  open,
  isNew,
  onDone,
}: {
  quantity: number;
  onQuantity: (quantity: number) => void;
  total: number;
  /** The tile's price is without what makes this more. */
  isTaxed: boolean;
  /** The first choice that still lacks something. */
  open: ModifierChoice | undefined;
  isNew: boolean;
  onDone: () => void;
}) {
  const { t, format } = useTranslation(["order", "check"]);
  return (
    <div className="choice-bar">
      <div className="row stepper">
        <Counter
          size="large"
          label={t("quantity")}
          value={quantity}
          shown={format.number(quantity)}
          onValue={onQuantity}
        />
      </div>
      <ActButton kind="main" className="send" disabled={open !== undefined} onAct={onDone}>
        {open === undefined ? (
          <span>
            <span>{t(isNew ? "addLine" : "check:save")}</span>
            <span className="act-more money">
              {format.money(total)}
              {isTaxed && ` ${t("check:withTaxes")}`}
            </span>
          </span>
        ) : (
          t("choose", { what: open.name ?? "" })
        )}
      </ActButton>
    </div>
  );
}

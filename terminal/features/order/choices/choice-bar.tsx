import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Counter } from "../../../components/counter.tsx";
import type { ModifierChoice } from "./modifier-choices.ts";

/** The quantity of a dish, its price, and the confirm button, which works once every required choice is made. */
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
  /** Whether `total` includes taxes that the tile's price does not. */
  isTaxed: boolean;
  /** The first required choice that is not yet complete. */
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

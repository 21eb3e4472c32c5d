import type { BackOfficeProduct, ItemState } from "@comanda/protocol";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { hasChoices } from "../choices/modifier-choices.ts";
import { isSoldOut } from "../stock/stock.ts";

/** A dish in its category's colour: price and whether it has options, or that it is sold out, and how many are unsent. */
export const Tile = memo(function Tile({
  product,
  color,
  count,
  state,
  onTap,
}: {
  product: BackOfficeProduct;
  /** The hue of the dish's category. */
  color: number | undefined;
  count: number;
  state: ItemState | undefined;
  onTap: (product: BackOfficeProduct) => void;
}) {
  const { t, format } = useTranslation("order");
  const isOut = isSoldOut(state);
  return (
    <button
      type="button"
      className="tile"
      data-product={product.id}
      data-color={color}
      data-out={isOut || undefined}
      onClick={() => onTap(product)}
    >
      <span className="tile-name">{product.name}</span>
      <span className="tile-price">
        {isOut ? t("stock.out") : format.price(product.price)}
        {!isOut && state?.state === "limited" && ` · ${t("left", { count: state.left ?? 0 })}`}
        {hasChoices(product) && (
          <IconAdjustmentsHorizontal className="tile-options" size={16} aria-label={t("hasOptions")} />
        )}
      </span>
      {count > 0 && (
        <span className="tile-count">
          <span aria-hidden>{format.quantity(count)}</span>
          <span className="visually-hidden">{t("inCheck", { count })}</span>
        </span>
      )}
    </button>
  );
});

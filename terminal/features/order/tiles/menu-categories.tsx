import { memo } from "react";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { categoryColor } from "./category-color.ts";
import { type MenuIndex, OTHERS_ID } from "../../../lib/menu/menu-index.ts";

/** The pages of the menu, and the switch for setting what is left of a dish. */
export const MenuCategories = memo(function MenuCategories({
  menu,
  shown,
  onChoose,
  isStockMode,
  onStockMode,
}: {
  menu: MenuIndex;
  /** Null while search results are shown. */
  shown: number | null;
  onChoose: (id: number) => void;
  isStockMode: boolean;
  onStockMode: (isOn: boolean) => void;
}) {
  const { t } = useTranslation("order");
  return (
    <div className="tiles-categories">
      <div role="tablist" aria-label={t("categories")}>
        {menu.categories.map(({ category, category: { id, name } }) => (
          <ActButton
            key={id}
            role="tab"
            size="small"
            isRepeatable
            aria-selected={id === shown}
            data-color={id < 0 ? undefined : categoryColor(category)}
            onAct={() => onChoose(id)}
          >
            {id === OTHERS_ID ? t("otherDishes") : name}
          </ActButton>
        ))}
      </div>
      <ActButton
        size="small"
        isRepeatable
        kind="quiet"
        aria-pressed={isStockMode}
        onAct={() => onStockMode(!isStockMode)}
      >
        {t("stock.mode")}
      </ActButton>
    </div>
  );
});

import type { BackOfficeProduct } from "@comanda/protocol";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { SearchField } from "../../../components/search-field.tsx";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useStable } from "../../../lib/page/use-stable.ts";
import { useWidth } from "../../../lib/page/use-width.ts";
import { categoryColor } from "./category-color.ts";
import { MenuCategories } from "./menu-categories.tsx";
import { Tile } from "./tile.tsx";
import { useLongPress } from "./use-long-press.ts";
import type { OrderTaps } from "./use-order-taps.ts";
import { useTileSearch } from "./use-tile-search.ts";

/** The menu as tiles, by category or search; each tap adds one. */
export function TileGrid({
  menu,
  counts,
  head,
  taps,
  onNext,
}: {
  menu: MenuIndex;
  /** Unsent quantity by product id. */
  counts: ReadonlyMap<string, number>;
  /** Shown before the search field. */
  head: ReactNode;
  taps: Pick<OrderTaps, "tap" | "hold" | "itemStates" | "isStockMode" | "setStockMode">;
  /** Called on Enter in the empty search field: moves on to the next act. */
  onNext: () => void;
}) {
  const { t } = useTranslation("order");
  const { itemStates, isStockMode, setStockMode } = taps;
  const [chosen, setChosen] = useState<number | null>(null);
  const { field, typed, setTyped, hits } = useTileSearch(menu, taps.tap, onNext);
  const page = menu.categories.find(({ category: { id } }) => id === chosen) ?? menu.categories[0];
  const products = hits?.products ?? page?.products ?? [];
  const states = useMemo(() => new Map(itemStates.map((each) => [String(each.productId), each])), [itemStates]);

  // Tiles and categories keep the same callback, so that a tap renders only its own tile again.
  const tap = useStable((product: BackOfficeProduct) => taps.tap(product, hits?.quantity ?? 1));
  const choose = useStable((id: number) => {
    setTyped("");
    setChosen(id);
  });
  const press = useLongPress((target) => {
    const id = target.closest<HTMLElement>("[data-product]")?.dataset["product"];
    const product = menu.product(id);
    if (product !== undefined) taps.hold(product);
  });

  const colors = useMemo(
    () => new Map(menu.menu.categories.map((category) => [category.id, categoryColor(category)])),
    [menu.menu],
  );
  const isPhone = useWidth() === "phone";

  const search = (
    <SearchField field={field} typed={typed} onTyped={setTyped} hint={t("searchShort")} label={t("search")} />
  );
  const categories = (
    <MenuCategories
      menu={menu}
      shown={hits === null ? (page?.category.id ?? null) : null}
      onChoose={choose}
      isStockMode={isStockMode}
      onStockMode={setStockMode}
    />
  );
  return (
    <section className="tiles" aria-label={t("menu")}>
      <div className="row tiles-head">
        {head}
        {!isPhone && search}
      </div>
      {!isPhone && categories}
      <div className="tiles-grid" data-stock={isStockMode || undefined} {...press}>
        {isStockMode && <p className="tiles-hint">{t("stock.hint")}</p>}
        {products.map((product) => {
          const id = String(product.id);
          const about = { product, color: colors.get(product.categoryId), count: counts.get(id) ?? 0 };
          return <Tile key={id} {...about} state={states.get(id)} onTap={tap} />;
        })}
        {products.length === 0 && <p className="tiles-hint">{t(hits === null ? "emptyMenu" : "nothingFound")}</p>}
      </div>
      {isPhone && (
        // On a phone these are at the bottom, in reach of the thumb.
        <>
          {categories}
          {search}
        </>
      )}
    </section>
  );
}

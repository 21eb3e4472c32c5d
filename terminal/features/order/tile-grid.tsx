import type { BackOfficeProduct, ItemState } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { IconSearch, IconX } from "@tabler/icons-react";
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { readKeys } from "../../lib/key-reader.ts";
import type { MenuIndex } from "../../lib/menu-index.ts";
import { showNotice } from "../../lib/notices.ts";
import { isSoldOut } from "./stock.ts";
import { useLongPress } from "./use-long-press.ts";

/** The menu as tiles, by category or by what is searched; each tap is one more. */
export function TileGrid({
  menu,
  counts,
  itemStates,
  head,
  isStockMode,
  onStockMode,
  onTap,
  onHold,
}: {
  menu: MenuIndex;
  /** How many of each product wait to be sent. */
  counts: ReadonlyMap<string, number>;
  itemStates: readonly ItemState[];
  /** What stands before the search. */
  head: ReactNode;
  /** A tap says what is left of a dish. */
  isStockMode: boolean;
  onStockMode: (isOn: boolean) => void;
  onTap: (product: BackOfficeProduct, quantity: number) => void;
  onHold: (product: BackOfficeProduct) => void;
}) {
  const { t } = useTranslation("order");
  const [chosen, setChosen] = useState<number | null>(null);
  const [typed, setTyped] = useState("");
  const isSearch = typed.trim() !== "";
  const found = useMemo(() => menu.search(typed), [menu, typed]);
  const tab = menu.categories.find(({ category: { id } }) => id === chosen) ?? menu.categories[0];
  const products = isSearch ? found.products : (tab?.products ?? []);
  const states = useMemo(() => new Map(itemStates.map((each) => [String(each.productId), each])), [itemStates]);
  const search = useRef<HTMLInputElement>(null);

  // Tiles and categories keep one function each, so that a tap draws its own tile again and nothing else here.
  const latest = useRef({ menu, found, onTap, onHold, isSearch });
  useLayoutEffect(() => {
    latest.current = { menu, found, onTap, onHold, isSearch };
  });
  const tap = useCallback((product: BackOfficeProduct) => {
    const { isSearch: wasSearched, found: hits, onTap: tapped } = latest.current;
    tapped(product, wasSearched ? hits.quantity : 1);
  }, []);
  const choose = useCallback((id: number) => {
    setTyped("");
    setChosen(id);
  }, []);
  const press = useLongPress((target) => {
    const id = target.closest<HTMLElement>("[data-product]")?.dataset["product"];
    const product = latest.current.menu.product(id);
    if (product !== undefined) latest.current.onHold(product);
  });

  useEffect(
    () =>
      readKeys(
        {
          scanned(code) {
            setTyped("");
            const product = latest.current.menu.byCode(code);
            if (product === undefined) showNotice({ text: t("unknownCode", { code }) });
            else latest.current.onTap(product, 1);
          },
          pressed(event) {
            const field = search.current;
            const isTyping = event.target === field;
            if (event.key === "Escape") setTyped("");
            else if (event.key === "Enter" && isTyping) {
              const { found: hits, isSearch: isAsked, onTap: tapped } = latest.current;
              const [first] = hits.products;
              if (!isAsked || first === undefined) return;
              event.preventDefault();
              tapped(first, hits.quantity);
              setTyped("");
            } else if (event.key.length === 1 && event.key !== " " && !isTyping) field?.focus();
          },
        },
        () => search.current,
      ),
    [t],
  );

  return (
    <section className="tiles" aria-label={t("menu")}>
      <div className="tiles-head">
        {head}
        <label className="tiles-search">
          <IconSearch size={20} aria-hidden />
          <input
            ref={search}
            type="search"
            value={typed}
            placeholder={t("searchShort")}
            aria-label={t("search")}
            autoComplete="off"
            enterKeyHint="done"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {typed !== "" && (
            <button type="button" className="act" data-kind="quiet" data-size="small" onClick={() => setTyped("")}>
              <IconX size={20} aria-label={t("clear")} />
            </button>
          )}
        </label>
      </div>
      <Categories
        menu={menu}
        shown={isSearch ? null : (tab?.category.id ?? null)}
        onChoose={choose}
        isStockMode={isStockMode}
        onStockMode={onStockMode}
      />
      <div className="tiles-grid" data-stock={isStockMode || undefined} {...press}>
        {isStockMode && <p className="tiles-hint">{t("stock.hint")}</p>}
        {products.map((product) => (
          <Tile
            key={product.id}
            product={product}
            count={counts.get(String(product.id)) ?? 0}
            state={states.get(String(product.id))}
            onTap={tap}
          />
        ))}
        {products.length === 0 && <p className="tiles-hint">{t("nothingFound")}</p>}
      </div>
    </section>
  );
}

const Categories = memo(function Categories({
  menu,
  shown,
  onChoose,
  isStockMode,
  onStockMode,
}: {
  menu: MenuIndex;
  /** Null: what is searched is shown. */
  shown: number | null;
  onChoose: (id: number) => void;
  isStockMode: boolean;
  onStockMode: (isOn: boolean) => void;
}) {
  const { t } = useTranslation("order");
  return (
    <div className="tiles-categories">
      <div role="tablist" aria-label={t("categories")}>
        {menu.categories.map(({ category: { id, name } }) => (
          <button
            key={id}
            type="button"
            role="tab"
            className="act"
            data-size="small"
            aria-selected={id === shown}
            onClick={() => onChoose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <button
        type="button"
        className="act"
        data-size="small"
        data-kind="quiet"
        aria-pressed={isStockMode}
        onClick={() => onStockMode(!isStockMode)}
      >
        {t("stock.mode")}
      </button>
    </div>
  );
});

const Tile = memo(function Tile({
  product,
  count,
  state,
  onTap,
}: {
  product: BackOfficeProduct;
  count: number;
  state: ItemState | undefined;
  onTap: (product: BackOfficeProduct) => void;
}) {
  const { t } = useTranslation("order");
  const format = useFormat();
  const isOut = isSoldOut(state);
  return (
    <button
      type="button"
      className="tile"
      data-product={product.id}
      data-out={isOut || undefined}
      onClick={() => onTap(product)}
    >
      <span className="tile-name">{product.name}</span>
      <span className="tile-price">
        {isOut ? t("out") : format.price(product.price)}
        {!isOut && state?.state === "limited" && ` · ${t("left", { count: state.left ?? 0 })}`}
      </span>
      {count > 0 && (
        <span className="tile-count">
          <span aria-hidden>{format.number(count)}</span>
          <span className="visually-hidden">{t("inCheck", { count })}</span>
        </span>
      )}
    </button>
  );
});

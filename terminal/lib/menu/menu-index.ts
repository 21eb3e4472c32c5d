import { foldText, type BackOfficeCategory, type BackOfficeProduct, type Menu } from "@comanda/protocol";

/** Id of the page of dishes without a category; no category of the back-office has it. */
export const OTHERS_ID = -2;

export type MenuIndex = ReturnType<typeof indexMenu>;

const MAX_FOUND = 60;

/** Indexes the menu for the screens; done once for each menu. */
export function indexMenu(menu: Menu) {
  const byId = new Map(menu.products.map((product) => [String(product.id), product]));
  const byBarcode = new Map(
    menu.products.flatMap((product) => codesOf(product).map((code) => [code, product] as const)),
  );
  const folded = menu.products.map((product) => ({ product, words: foldText(product.name) }));
  const categoryIds = new Set(menu.categories.map(({ id }) => id));
  const byCategory = Map.groupBy(menu.products, ({ categoryId }) =>
    categoryIds.has(categoryId) ? categoryId : OTHERS_ID,
  );
  const pages: readonly BackOfficeCategory[] = [...menu.categories, { id: OTHERS_ID, name: "" }];
  const categories = pages.flatMap((category) => {
    const products = byCategory.get(category.id);
    return products === undefined ? [] : [{ category, products }];
  });
  const product = (id: string | number | undefined) => byId.get(String(id));

  return {
    menu,
    product,
    /** Non-empty categories with their products in the menu's order; products without one come last. */
    categories,
    /** Returns the product with this code on its package. */
    byCode: (code: string) => byBarcode.get(code),
    /**
     * Finds products whose names contain every word; names that begin with the first word come first. The order never depends
     * on taps. A whole code finds only its product. "2 pre rey" means two; "7 up" means one if a name or code begins so.
     */
    search(text: string): { quantity: number; products: readonly BackOfficeProduct[] } {
      const [, digits, rest] = /^\s*(?:(\d{1,3})[\s*x]+)?(.*)$/i.exec(text) ?? [];
      const whole = foldText(text.trim());
      const isName = byBarcode.has(text.trim()) || folded.some((each) => each.words.startsWith(whole));
      const isCounted = digits !== undefined && !isName;
      const words = isCounted ? wordsOf(rest ?? "") : wordsOf(whole);
      const quantity = isCounted ? Math.max(1, Number(digits)) : 1;
      if (words.length === 0) return { quantity, products: [] };
      const coded = byBarcode.get((isCounted ? (rest ?? "") : text).trim());
      if (coded !== undefined) return { quantity, products: [coded] };
      const found = folded.filter((each) => words.every((word) => holdsWord(each.words, word)));
      const [first = ""] = words;
      const heads = found.filter((each) => each.words.startsWith(first));
      const others = found.filter((each) => !each.words.startsWith(first));
      return { quantity, products: [...heads, ...others].slice(0, MAX_FOUND).map((each) => each.product) };
    },
  };
}

function wordsOf(text: string): string[] {
  return foldText(text).split(/\s+/).filter(Boolean);
}

/** Matches the beginning of a word: "rey" finds "Presidente Rey", not "Arroz con leche y arey". */
function holdsWord(name: string, word: string): boolean {
  return name.startsWith(word) || name.includes(` ${word}`);
}

/** Returns the fields of the back-office that may contain a scanned code. */
function codesOf(product: BackOfficeProduct): string[] {
  return [product["barcode"], product["default_code"], product["defaultCode"]].filter(
    (code): code is string => typeof code === "string" && code !== "",
  );
}

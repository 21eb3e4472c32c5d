import { learnedPage } from "@comanda/protocol";
import { useMemo, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";

/** Never the id of a category of the back-office. */
const LEARNED_ID = -1;

/**
 * Returns the menu with a first page of the dishes ordered most here at this hour. The page is computed when the screen opens
 * and then stays, so that no tile moves under a finger. Without history, returns the menu unchanged.
 */
export function useLearnedPage(menu: MenuIndex): MenuIndex {
  const { t } = useTranslation("order");
  const terminal = useTerminal();
  const learned = useLive("learned");
  const [page] = useState(() =>
    learned === null
      ? []
      : learnedPage(learned, {
          at: terminal.now(),
          person: terminal.actor()?.user.name ?? null,
          isSold: (productId) => menu.product(productId) !== undefined,
        }),
  );
  const name = t("mostOrdered");
  return useMemo(() => {
    const products = page.flatMap((productId) => menu.product(productId) ?? []);
    if (products.length === 0) return menu;
    return { ...menu, categories: [{ category: { id: LEARNED_ID, name }, products }, ...menu.categories] };
  }, [menu, page, name]);
}

import { learnedPage } from "@comanda/protocol";
import { useMemo, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";

/** No category of the back-office has it. */
const LEARNED_ID = -1;

/**
 * The menu with a first page of what is ordered most here at this hour. It is taken when the screen opens and stays as it is
 * until that closes: no tile moves under a finger. Without history the menu is as it is.
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

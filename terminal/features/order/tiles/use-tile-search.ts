import type { BackOfficeProduct } from "@comanda/protocol";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { takeScan } from "../../../checks/begin-with-scan.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { showNotice } from "../../../lib/page/notices.ts";
import { useStable } from "../../../lib/page/use-stable.ts";
import { useSearchKeys } from "../../../lib/page/use-search-keys.ts";

/**
 * State of the tile search; `hits` is null without a search. Enter takes the first hit, or calls `onNext` if the field is
 * empty. A scanned code adds its product, as often as was typed before it: "3*".
 */
export function useTileSearch(
  menu: MenuIndex,
  onTap: (product: BackOfficeProduct, quantity: number) => void,
  onNext: () => void,
) {
  const { t } = useTranslation("order");
  const [typed, setTyped] = useState("");
  const hits = useMemo(() => (typed.trim() === "" ? null : menu.search(typed)), [menu, typed]);
  const scan = useStable((code: string): void => {
    setTyped("");
    const product = menu.byCode(code);
    if (product === undefined) showNotice({ text: t("unknownCode", { code }) });
    else onTap(product, typed.includes(code) ? menu.search(typed).quantity : 1);
  });
  const [path] = useLocation();
  useEffect(() => {
    const code = takeScan(path);
    if (code !== null) scan(code);
  }, [scan, path]);
  const field = useSearchKeys({
    scanned: scan,
    enter() {
      if (hits === null) return onNext();
      const [first] = hits.products;
      if (first === undefined) return;
      onTap(first, hits.quantity);
      setTyped("");
    },
    clear: () => setTyped(""),
  });
  return { field, typed, setTyped, hits };
}

import type { BackOfficeProduct } from "@comanda/protocol";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { readKeys } from "../../../lib/page/key-reader.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { showNotice } from "../../../lib/page/notices.ts";
import { useStable } from "../../../lib/page/use-stable.ts";

/**
 * What is searched for among the tiles; `hits` null: nothing. Keys go to the field wherever the focus is; Enter takes the
 * first hit, in the empty field it leads to `onNext`, and a scanned code takes its product.
 */
export function useTileSearch(
  menu: MenuIndex,
  onTap: (product: BackOfficeProduct, quantity: number) => void,
  onNext: () => void,
) {
  const { t } = useTranslation("order");
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const hits = useMemo(() => (typed.trim() === "" ? null : menu.search(typed)), [menu, typed]);

  function takeFirst(event: KeyboardEvent): void {
    event.preventDefault();
    if (hits === null) return onNext();
    const [first] = hits.products;
    if (first === undefined) return;
    onTap(first, hits.quantity);
    setTyped("");
  }
  const scanned = useStable((code: string): void => {
    setTyped("");
    const product = menu.byCode(code);
    if (product === undefined) showNotice({ text: t("unknownCode", { code }) });
    else onTap(product, 1);
  });
  const pressed = useStable((event: KeyboardEvent): void => {
    const isTyping = event.target === field.current;
    // A key that is held says nothing twice: it would go on to what it has led to.
    if (event.key === "Enter" && event.repeat) event.preventDefault();
    else if (event.key === "Escape") setTyped("");
    else if (event.key === "Enter" && isTyping) takeFirst(event);
    else if (event.key.length === 1 && event.key !== " " && !isTyping) field.current?.focus();
  });
  // With the tiles themselves: a key that comes as soon as they can be seen must not be lost on a slow tablet.
  useLayoutEffect(() => readKeys({ scanned, pressed }, () => field.current), [scanned, pressed]);

  return { field, typed, setTyped, hits };
}

import type { BackOfficeProduct, ItemState, SetItemState } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { announceStock } from "../../../lib/menu/announce-stock.ts";

export function isSoldOut(state: ItemState | undefined): boolean {
  return state?.state === "out" || (state?.state === "limited" && (state.left ?? 0) <= 0);
}

/** Returns the stock state of a product, or undefined if none is set. */
export function stockOf({ id }: BackOfficeProduct, states: readonly ItemState[]): ItemState | undefined {
  return states.find(({ productId }) => String(productId) === String(id));
}

/** Sets the stock of a product for every terminal. Shows a notice with undo. */
export function setStock(terminal: Terminal, name: string, next: SetItemState): void {
  const t = translator("order");
  const text =
    next.state === "available"
      ? t("stock.announcedAvailable", { name })
      : next.state === "limited"
        ? t("stock.announcedLeft", { name, count: next.left ?? 0 })
        : t("stock.announcedOut", { name });
  announceStock(terminal, next, text);
}

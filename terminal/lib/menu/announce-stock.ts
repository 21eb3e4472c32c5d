import type { ItemState, SetItemState } from "@comanda/protocol";
import { sameValue, type Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { showNotice } from "../page/notices.ts";
import { attempt } from "../page/show-refusal.ts";
import { undoAct } from "../page/undo-act.ts";

/**
 * Sets the stock of a product for every terminal. Shows `text` with undo, which is refused if the stock was changed elsewhere
 * since.
 */
export function announceStock(terminal: Terminal, next: SetItemState, text: string): void {
  const now = (): SetItemState => stockInputOf(terminal.itemStates(), next.productId);
  const former = now();
  if (attempt(() => terminal.setItemState(next)) === null) return;
  const current = now();
  const takeBack = (): void => {
    if (sameValue(current, now())) attempt(() => terminal.setItemState(former));
    else showNotice({ text: translator("common")("changedSince") });
  };
  showNotice({ text, act: undoAct(takeBack) });
}

/** Returns the input that restores the product's current stock state; without a state it is available. */
export function stockInputOf(states: readonly ItemState[], productId: SetItemState["productId"]): SetItemState {
  const current = states.find((each) => String(each.productId) === String(productId));
  if (current === undefined) return { productId, state: "available" };
  const { state, left, until } = current;
  return { productId, state, left, until };
}

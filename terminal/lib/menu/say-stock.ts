import type { ItemState, SetItemState } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { showNotice } from "../page/notices.ts";
import { attempt } from "../page/show-refusal.ts";
import { undoAct } from "../page/undo-act.ts";

/** Says what is left of a product to every terminal, and here in `text`, with a way back to what was said before. */
export function sayStock(terminal: Terminal, next: SetItemState, text: string): void {
  const former = saidOf(terminal.itemStates(), next.productId);
  if (attempt(() => terminal.setItemState(next)) === null) return;
  showNotice({ text, act: undoAct(() => void attempt(() => terminal.setItemState(former))) });
}

/** What says again what is said of a product now; what nothing is said of is available. */
export function saidOf(states: readonly ItemState[], productId: SetItemState["productId"]): SetItemState {
  const said = states.find((each) => String(each.productId) === String(productId));
  if (said === undefined) return { productId, state: "available" };
  const { state, left, until } = said;
  return { productId, state, left, until };
}

import { sentence, type ItemState, type Sentence, type SetItemState } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { Stores } from "../stores/create-stores.ts";

/** Sets in a person's name whether a product is available, limited or has run out. */
export function setItemState(
  { itemStates, audit }: Pick<Stores, "itemStates" | "audit">,
  tx: Tx,
  request: SetItemState,
  userName: string,
): ItemState {
  const { itemState } = itemStates.set(tx, request);
  audit.record(tx, userName, "item.state", String(itemState.productId), noteOf(itemState));
  return itemState;
}

function noteOf({ state, left }: ItemState): Sentence {
  if (state === "limited") return sentence("note_item_limited", { left: left ?? 0 });
  return sentence(state === "out" ? "note_item_out" : "note_item_available");
}

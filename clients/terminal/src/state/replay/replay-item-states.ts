import type { ItemState } from "@comanda/protocol";
import { isAvailable, itemStateOf } from "@comanda/rules";
import type { OutboxEntry } from "../../outbox/entries/outbox-entry.ts";

/** What can be sold, as the user sees it at `now`: what has come to its end is available again. */
export function replayItemStates(
  states: Iterable<ItemState>,
  entries: readonly OutboxEntry[],
  now: number,
): ItemState[] {
  const shown = new Map([...states].map((state) => [String(state.productId), state]));
  for (const { intent, queuedAt, refusal } of entries) {
    if (refusal !== null || intent.type !== "ITEM_STATE_SET") continue;
    const itemState = itemStateOf(intent, Date.parse(queuedAt));
    if (itemState !== null) shown.set(String(intent.productId), itemState);
  }
  return [...shown.values()].filter((itemState) => !isAvailable(itemState, now));
}

import type { ItemState } from "@comanda/protocol";
import { countDown, isAvailable, itemStateOf } from "@comanda/rules";
import type { OutboxEntry } from "../../outbox/entries/outbox-entry.ts";
import type { LocalState } from "./local-state.ts";

/** Returns the products that are limited or sold out, as the user sees them. States that have expired at `now` are left out. */
export function replayItemStates(
  states: Iterable<ItemState>,
  entries: readonly OutboxEntry[],
  now: number,
  ticketsOfSend: LocalState["ticketsOfSend"],
): ItemState[] {
  const shown = new Map([...states].map((state) => [String(state.productId), state]));
  for (const entry of entries) {
    const { intent, queuedAt, refusal } = entry;
    if (refusal !== null) continue;
    if (intent.type === "ITEM_STATE_SET") {
      const itemState = itemStateOf(intent, Date.parse(queuedAt));
      if (itemState !== null) shown.set(String(intent.productId), itemState);
    } else if (intent.type === "ORDER_SEND" && shown.size > 0) {
      for (const line of ticketsOfSend(entry, intent.posReference).flatMap(({ lines }) => lines)) {
        const itemState = shown.get(String(line.productId));
        if (itemState !== undefined) shown.set(String(line.productId), countDown(itemState, line, now));
      }
    }
  }
  return [...shown.values()].filter((itemState) => !isAvailable(itemState, now));
}

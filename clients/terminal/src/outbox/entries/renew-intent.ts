import { mergeContent } from "../../orders/merge-content.ts";
import { contentOf, type OrderContent } from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import { roundOrder } from "../../orders/round-order.ts";
import type { HubOrders } from "./decide-message.ts";
import { changesOf } from "./intent-content.ts";
import type { Intent } from "./outbox-entry.ts";

/** The same change, based on the hub's present state; `resolved` replaces what would be merged. */
export function renewIntent(
  intent: Intent,
  { hubOrder, menu }: { hubOrder: HubOrders; menu: PricedMenu | null },
  resolved: ReadonlyMap<string, OrderContent>,
): Intent {
  const renewed = structuredClone(intent);
  for (const change of changesOf(renewed)) {
    const stored = hubOrder(change.posReference);
    const present = stored === undefined ? null : contentOf(stored.snapshot);
    const mine = present === null ? change.next : mergeContent(change.base ?? present, change.next, present).content;
    change.next = roundOrder(resolved.get(change.posReference) ?? mine, menu);
    change.base = present;
  }
  if ("seenVersion" in renewed) {
    const stored = hubOrder(renewed.posReference);
    if (stored !== undefined) {
      renewed.seen = contentOf(stored.snapshot);
      renewed.seenVersion = stored.version;
    }
  }
  return renewed;
}

import { mergeContent } from "../../orders/merge-content.ts";
import { contentOf, sameContent, type OrderContent } from "../../orders/order-content.ts";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import { roundOrder } from "../../orders/round-order.ts";
import { followCarried, isNewAndEmpty } from "./carried-lines.ts";
import { TerminalRefusal } from "../../refusal.ts";
import type { HubOrders, LineLookup } from "./hub-orders.ts";
import { changesOf } from "./intent-content.ts";
import { insistOnMoved } from "./moved-lines.ts";
import { newsOf, type Intent, type OutboxEntry } from "./outbox-entry.ts";

/**
 * Returns the same change, based on the hub's current state; `resolved` replaces the merge. Throws TerminalRefusal if the hub
 * could only refuse it: NOT_FOUND if others moved all of its lines, or if a check is gone.
 */
export type Renew = (
  entry: Pick<OutboxEntry, "intent" | "mayBeOnHub">,
  options?: { resolved?: ReadonlyMap<string, OrderContent>; newId?: () => string },
) => Intent;

interface RenewDeps {
  hubOrder: HubOrders;
  wasRemoved: (posReference: string) => boolean;
  elsewhere: LineLookup;
  menu: () => PricedMenu | null;
  uuid: () => string;
}

export function createRenew({ menu, uuid, ...hub }: RenewDeps): Renew {
  return (entry, { resolved = new Map<string, OrderContent>(), newId = uuid } = {}) =>
    renewIntent(entry, { ...hub, menu: menu(), newId }, resolved);
}

function renewIntent(
  entry: Pick<OutboxEntry, "intent" | "mayBeOnHub">,
  hub: Omit<RenewDeps, "menu" | "uuid"> & { menu: PricedMenu | null; newId: () => string },
  resolved: ReadonlyMap<string, OrderContent>,
): Intent {
  const { hubOrder, menu } = hub;
  const renewed = structuredClone(entry.intent);
  const changes = changesOf(renewed);
  const removed = changes.find(({ posReference, base }) => base !== null && isRemoved(posReference));
  if (removed !== undefined) throw new TerminalRefusal("NOT_FOUND", `there is no order ${removed.posReference}`);
  const carried = followCarried(changes, hubOrder, menu);
  const followed = insistOnMoved(carried, hub);
  const news = newsOf(entry, menu);
  for (const [index, change] of changes.entries()) {
    const { base, next } = followed[index] ?? change;
    const stored = hubOrder(change.posReference);
    const present = stored === undefined ? null : contentOf(stored.snapshot);
    const mine = present === null ? next : mergeContent(base ?? present, next, present, news).content;
    change.next = roundOrder(resolved.get(change.posReference) ?? mine, menu);
    change.base = present;
  }
  if (followed !== changes && changes.every(({ base, next }) => base !== null && sameContent(base, next))) {
    throw new TerminalRefusal("NOT_FOUND", "the check has none of these lines");
  }
  // A check is not created if all of its lines are gone.
  if (renewed.type === "ORDER_BATCH" && followed !== changes) {
    renewed.orders = renewed.orders.filter((change, index) => followed[index]?.base !== null || !isNewAndEmpty(change));
  }
  if ("seenVersion" in renewed) {
    const stored = hubOrder(renewed.posReference);
    if (stored !== undefined) {
      renewed.seen = contentOf(stored.snapshot);
      renewed.seenVersion = stored.version;
    }
  }
  return renewed;

  /** False for a hub with another history, which may get the order back. */
  function isRemoved(posReference: string): boolean {
    return hubOrder(posReference) === undefined && hub.wasRemoved(posReference);
  }
}

import type { StoredOrder } from "@comanda/protocol";
import type { ServiceMutation } from "@comanda/rules";
import { mergeContent, type News } from "../../orders/merge-content.ts";
import { contentOf, linesOf, sameContent, type OrderContent } from "../../orders/order-content.ts";
import { roundOrder } from "../../orders/round-order.ts";
import { changesByNow } from "../../outbox/entries/carried-lines.ts";
import { stillThere } from "../../outbox/entries/decide-message.ts";
import { lookElsewhere, type HubOrders } from "../../outbox/entries/hub-orders.ts";
import { changesOf, writesOf } from "../../outbox/entries/intent-content.ts";
import { followMoved } from "../../outbox/entries/moved-lines.ts";
import {
  newsOf,
  type ContentChange,
  type Intent,
  type MoneyMove,
  type OutboxEntry,
} from "../../outbox/entries/outbox-entry.ts";
import { followRewritten, rewrittenLines, type RewrittenLine } from "../../outbox/entries/rewritten-lines.ts";
import type { ReplayKnowledge } from "./rule-context.ts";

type MoneyMutation = Extract<ServiceMutation, { type: MoneyMove["type"] }>;

/** What the hub would be asked for now, with the checks as `order` has them. */
export function createReplayedMutations(deps: {
  order: (posReference: string) => StoredOrder | null;
  orders: () => Iterable<StoredOrder>;
  menu: ReplayKnowledge["menu"];
}) {
  const { order, orders, menu } = deps;
  const hubOrder: HubOrders = (posReference) => order(posReference) ?? undefined;
  const elsewhere = lookElsewhere(orders);
  /** What of the lines of what was carried out the changes after it do not say yet. */
  let rewritten: readonly RewrittenLine[] = [];

  return { mutationOf, moneyOf, writeOf, carriedOut };

  /** Null where the hub would change nothing. */
  function mutationOf(entry: OutboxEntry, intent: Exclude<Intent, MoneyMove>): ServiceMutation | null {
    const { mutationId, message } = entry;
    switch (intent.type) {
      case "ORDER_UPSERT":
      case "ORDER_BATCH":
        return writeOf(mutationId, asSent(entry), message === null ? newsOf(entry, menu()) : null);
      case "ORDER_CHECKOUT":
      case "ORDER_REOPEN":
      case "ORDER_DISCARD": {
        const { seen: _, seenVersion: __, ...action } = intent;
        return { ...action, mutationId, baseVersion: order(intent.posReference)?.version ?? 1 };
      }
      case "ORDER_SEND": {
        const lineIds = stillThere(intent, hubOrder);
        return { ...intent, ...(lineIds?.length !== 0 && { lineIds }), mutationId };
      }
      case "KITCHEN_SEEN":
      case "KITCHEN_BUMP":
      case "KITCHEN_SERVED":
      case "KITCHEN_PRIORITY":
        return { ...intent, mutationId };
      case "ITEM_STATE_SET":
      case "TILL_OPEN":
      case "TILL_MOVE":
      case "TILL_COUNT":
      case "TILL_DRAWER":
        return null;
    }
  }

  function moneyOf({ mutationId }: OutboxEntry, intent: MoneyMove): MoneyMutation {
    if (intent.type === "ORDER_TENDER_VOID") return { ...intent, mutationId };
    const { seen: _, seenVersion: __, ...action } = intent;
    if (action.type === "ORDER_TENDER") return { ...action, mutationId };
    return { ...action, mutationId, baseVersion: order(action.posReference)?.version ?? 0 };
  }

  /** What a message says is what the hub has once it has carried it out, and never more; without one, what it would say. */
  function asSent({ intent, message }: OutboxEntry): readonly ContentChange[] {
    if (message === null) {
      const { changes } = followRewritten(changesOf(intent), rewritten, menu());
      return followMoved(changesByNow(changes, hubOrder, menu()) ?? [], { hubOrder, elsewhere, menu: menu() }).changes;
    }
    const changes = changesOf(intent);
    const sent = new Map(writesOf(message).map(({ posReference, snapshot }) => [posReference, snapshot]));
    return changes.map((change) => ({ ...change, next: sent.get(change.posReference) ?? change.next }));
  }

  /** The changes after it are of what it made of its lines. */
  function carriedOut({ intent, message }: OutboxEntry, mutation: ServiceMutation | null): void {
    const { changes, left } = followRewritten(changesOf(intent), message === null ? rewritten : [], menu());
    const writes = message === null && mutation?.type === "ORDER_BATCH" ? mutation.orders : writesOf(message);
    rewritten = [...(message === null ? left : rewritten), ...rewrittenLines(changes, writes)];
  }

  /** Whatever of these changes the hub has already is left out. */
  function writeOf(
    mutationId: string,
    changes: readonly ContentChange[],
    news: News | null = null,
  ): ServiceMutation | null {
    let changesSomething = false;
    const contents = changes.flatMap((change) => {
      const { posReference } = change;
      const check = order(posReference);
      const current = check === null ? null : contentOf(check.snapshot);
      // All its lines went to others, and it is gone.
      if (current === null && changes.length > 1 && isEmptied(change)) return [];
      const snapshot = mergedContent(change, current, news);
      changesSomething ||= current === null || !sameContent(snapshot, current);
      return [{ posReference, baseVersion: check?.version ?? 0, snapshot }];
    });
    // A second check of a table is for the hub to refuse: what a guest ordered is not hidden.
    return changesSomething ? { type: "ORDER_BATCH", mutationId, orders: contents, additionalCheck: true } : null;
  }

  function mergedContent({ base, next }: ContentChange, current: OrderContent | null, news: News | null): OrderContent {
    return current === null ? next : roundOrder(mergeContent(base ?? current, next, current, news).content, menu());
  }
}

function isEmptied({ base, next }: ContentChange): boolean {
  return linesOf(base ?? {}).length > 0 && linesOf(next).length === 0;
}

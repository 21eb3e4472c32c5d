import type { StoredOrder } from "@comanda/protocol";
import type { ServiceMutation } from "@comanda/rules";
import { mergeContent, type News } from "../../orders/merge-content.ts";
import { contentOf, linesOf, sameContent, type OrderContent } from "../../orders/order-content.ts";
import { roundOrder } from "../../orders/round-order.ts";
import { changesByNow } from "../../outbox/entries/carried-lines.ts";
import { remainingLineIds } from "../../outbox/entries/decide-message.ts";
import { createLineLookup, type HubOrders } from "../../outbox/entries/hub-orders.ts";
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

/** Builds the mutations as they would be sent now, with the checks from `order`. */
export function createReplayedMutations(deps: {
  order: (posReference: string) => StoredOrder | null;
  orders: () => Iterable<StoredOrder>;
  menu: ReplayKnowledge["menu"];
}) {
  const { order, orders, menu } = deps;
  const hubOrder: HubOrders = (posReference) => order(posReference) ?? undefined;
  const elsewhere = createLineLookup(orders);
  /** Lines that earlier mutations have rewritten, for the changes after them. */
  let rewritten: readonly RewrittenLine[] = [];

  return { mutationOf, moneyOf, writeOf, carriedOut };

  /** Returns null if the hub would change nothing. */
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
        const lineIds = remainingLineIds(intent, hubOrder);
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

  /** Returns the changes as in the message, which is exactly what the hub will apply, or as it would be built now. */
  function asSent({ intent, message }: OutboxEntry): readonly ContentChange[] {
    if (message === null) {
      const { changes } = followRewritten(changesOf(intent), rewritten, menu());
      return followMoved(changesByNow(changes, hubOrder, menu()) ?? [], { hubOrder, elsewhere, menu: menu() }).changes;
    }
    const changes = changesOf(intent);
    const sent = new Map(writesOf(message).map(({ posReference, snapshot }) => [posReference, snapshot]));
    return changes.map((change) => ({ ...change, next: sent.get(change.posReference) ?? change.next }));
  }

  /** Passes the lines that a mutation has rewritten on to the changes after it. */
  function carriedOut({ intent, message }: OutboxEntry, mutation: ServiceMutation | null): void {
    const { changes, left } = followRewritten(changesOf(intent), message === null ? rewritten : [], menu());
    const writes = message === null && mutation?.type === "ORDER_BATCH" ? mutation.orders : writesOf(message);
    rewritten = [...(message === null ? left : rewritten), ...rewrittenLines(changes, writes)];
  }

  /** Returns the write for these changes, or null if the hub already has all of them. */
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
      // All its lines went to other checks, so the check is gone.
      if (current === null && changes.length > 1 && isEmptied(change)) return [];
      const snapshot = mergedContent(change, current, news);
      changesSomething ||= current === null || !sameContent(snapshot, current);
      return [{ posReference, baseVersion: check?.version ?? 0, snapshot }];
    });
    // The hub decides about a second check on a table; here, ordered lines must not be hidden.
    return changesSomething ? { type: "ORDER_BATCH", mutationId, orders: contents, additionalCheck: true } : null;
  }

  function mergedContent({ base, next }: ContentChange, current: OrderContent | null, news: News | null): OrderContent {
    return current === null ? next : roundOrder(mergeContent(base ?? current, next, current, news).content, menu());
  }
}

function isEmptied({ base, next }: ContentChange): boolean {
  return linesOf(base ?? {}).length > 0 && linesOf(next).length === 0;
}

import type { StoredOrder } from "@comanda/protocol";
import type { OrderContent } from "../../orders/order-content.ts";
import type { HubOrders } from "../entries/hub-orders.ts";
import { changesOf } from "../entries/intent-content.ts";
import { TerminalRefusal } from "../../refusal.ts";
import { ordersOf, type Actor, type Intent, type OutboxEntry, type Refusal } from "../entries/outbox-entry.ts";

/** A refused mutation, or one with a notice of the hub, kept until the application retries or discards it. */
export interface Conflict {
  id: string;
  intent: Intent;
  queuedAt: string;
  /** The person who made it, or null if it is unsigned. */
  author: Actor["user"] | null;
  refusal: Refusal;
  /** The mutation was executed: nothing to retry, only to be read. */
  isNotice: boolean;
  /** For each order, the content this device wanted (`mine`; null for an action without content) and the hub's state. */
  orders: { posReference: string; mine: OrderContent | null; base: OrderContent | null; hub: StoredOrder | null }[];
  /** The intent that a forced retry would send, or null if the hub could only refuse it. */
  insisted: Intent | null;
  /** Later mutations of the same orders, which are blocked until this is decided, in order. */
  behind: Intent[];
}

export type PresentConflict = ReturnType<typeof createPresentConflict>;

/** Returns a copy of a refused entry, or one with a notice, with both states. `renew` builds the intent of a retry. */
export function createPresentConflict({
  hubOrder,
  renew,
}: {
  hubOrder: HubOrders;
  renew: (entry: OutboxEntry, newId: () => string) => Intent;
}) {
  return (entry: OutboxEntry, behind: readonly Intent[] = []): Conflict => {
    const { id, intent, queuedAt, actor, notice } = entry;
    const refusal = entry.refusal ?? notice;
    if (refusal === undefined) throw new Error("only a refused mutation is a conflict");
    const changes = new Map(changesOf(intent).map((change) => [change.posReference, change]));
    const orders = ordersOf(intent).map((posReference) => ({
      posReference,
      mine: changes.get(posReference)?.next ?? null,
      base: changes.get(posReference)?.base ?? ("seen" in intent ? intent.seen : null),
      hub: hubOrder(posReference) ?? null,
    }));
    const isNotice = entry.refusal === null;
    const insisted = isNotice ? null : insistedOn(entry);
    const author = actor?.user ?? null;
    return structuredClone({ id, intent, queuedAt, author, refusal, isNotice, orders, insisted, behind: [...behind] });
  };

  function insistedOn(entry: OutboxEntry): Intent | null {
    let names = 0;
    try {
      return renew(entry, () => `new ${(names += 1)}`);
    } catch (error) {
      if (error instanceof TerminalRefusal) return null;
      throw error;
    }
  }
}

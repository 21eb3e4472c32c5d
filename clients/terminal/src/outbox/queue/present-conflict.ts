import type { StoredOrder } from "@comanda/protocol";
import type { OrderContent } from "../../orders/order-content.ts";
import type { HubOrders } from "../entries/hub-orders.ts";
import { changesOf } from "../entries/intent-content.ts";
import { TerminalRefusal } from "../../refusal.ts";
import { ordersOf, type Actor, type Intent, type OutboxEntry, type Refusal } from "../entries/outbox-entry.ts";

/** A mutation that the hub refused or has something to say about, kept until the application retries or discards it. */
export interface Conflict {
  id: string;
  intent: Intent;
  queuedAt: string;
  /** Whose work it is; null where nobody signed it. */
  author: Actor["user"] | null;
  refusal: Refusal;
  /** It was carried out all the same: there is nothing to retry, only something to know. */
  isNotice: boolean;
  /** Of each order what this device wanted (`mine`; null for an action without content) and what the hub has. */
  orders: { posReference: string; mine: OrderContent | null; base: OrderContent | null; hub: StoredOrder | null }[];
  /** What it would be where a person insists on it; null where that can only be refused. */
  insisted: Intent | null;
  /** What was done to the same orders afterwards, and waits until this is decided; in its order. */
  behind: Intent[];
}

export type PresentConflict = ReturnType<typeof createPresentConflict>;

/** Shows a refused entry, or one with a notice, with both states, as a copy. `renew` makes what a retry would send. */
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

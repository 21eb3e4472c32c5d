import { OfferedOrder, type HubMessage, type StoredOrder, type TerminalMessageInput } from "@comanda/protocol";
import type { Former } from "./hub-state.ts";

const PAGE_BYTES = 200 * 1024;
/** More than one night has; beyond that the newest. */
const MOST_OFFERS = 500;

/** Orders that this terminal has and the hub has lost, until the hub has answered. */
export function createOffers(deps: {
  /** Rejects when no answer comes. */
  send(message: TerminalMessageInput): Promise<HubMessage>;
  /** Whether the hub of this session accepts offers. */
  isAccepted(): boolean;
}) {
  const waiting = new Map<string, { epoch: string; order: StoredOrder }>();
  let isSending = false;

  /** Orders of one epoch that fit one page. */
  function nextPage(): { epoch: string; orders: StoredOrder[] } | null {
    const [first] = waiting.values();
    if (first === undefined) return null;
    const { epoch } = first;
    const orders: StoredOrder[] = [];
    let bytes = 0;
    for (const { epoch: ownEpoch, order } of waiting.values()) {
      if (ownEpoch !== epoch) continue;
      bytes += JSON.stringify(order).length;
      if (bytes > PAGE_BYTES && orders.length > 0) break;
      orders.push(order);
    }
    return { epoch, orders };
  }

  return {
    add({ epoch, orders }: Former): void {
      // One order out of bounds would make the hub refuse its whole page.
      for (const order of orders.filter((each) => OfferedOrder.safeParse(each).success)) {
        const known = waiting.get(order.posReference);
        if (known === undefined || known.order.version < order.version) {
          waiting.set(order.posReference, { epoch, order });
        }
      }
      const oldest = [...waiting.values()].toSorted((one, other) =>
        one.order.snapshot.updatedAt < other.order.snapshot.updatedAt ? -1 : 1,
      );
      for (const { order } of oldest.slice(0, Math.max(0, oldest.length - MOST_OFFERS)))
        waiting.delete(order.posReference);
    },
    /** Offers them page by page; a page without an answer, or without room on the hub, waits for the next call. */
    async send(): Promise<void> {
      if (isSending || !deps.isAccepted()) return;
      isSending = true;
      try {
        for (let page = nextPage(); page !== null; page = nextPage()) {
          const answer = await deps.send({ type: "ORDER_OFFER", ...page });
          if (answer.type === "ERROR" && answer.retryable) return;
          const kept = answer.type === "ORDER_OFFER_ACK" ? (answer.waiting ?? []) : [];
          for (const order of page.orders) {
            if (kept.includes(order.posReference)) continue;
            // A newer one may have been added meanwhile.
            if (waiting.get(order.posReference)?.order === order) waiting.delete(order.posReference);
          }
          // The hub has no room until a manager has decided: a later call finds out.
          if (kept.length > 0) return;
        }
      } catch {
        // No answer: the next session sends them again.
      } finally {
        isSending = false;
      }
    },
  };
}

import { ForwardedOrder, type BatchSyncResult, type HubEventId } from "@comanda/protocol";
import { z } from "zod";
import { transact } from "../db/open.ts";
import { parse } from "../parse.ts";
import { FinalizeRefused, Refusal } from "../refusal.ts";
import { adoptNcf } from "./adopt-ncf.ts";
import { electronicReceipt, type Signing } from "./electronic-receipt.ts";
import { forwardedContent } from "./order-content.ts";
import { placeOrder, type OrderDeps } from "./place-order.ts";
import { requireTotals } from "./require-totals.ts";

/** Checks that tests can add to the rules of booking. */
export interface FinalizeChecks {
  /** Returns the error to refuse this reference with, or null. */
  refusalOf(posReference: string): { error: string; errorCode: string } | null;
  /** Whether an order's lines have to add up to its total. */
  verifiesTotals(): boolean;
  signing(): Signing;
}

export interface Finalization {
  eventId: HubEventId;
  posReference: string;
  order: unknown;
}

/**
 * Books a paid order of the hub once, like a regular creation in its own savepoint, with one audit event. A closed POS session
 * (the last one is used) or a missing table is no reason to refuse: the money was taken. Throws NCF_CONFLICT or NCF_INVALID
 * for a fiscal number that it cannot have, and stores nothing.
 */
export function finalizeOrder(deps: OrderDeps, checks: FinalizeChecks, event: Finalization): BatchSyncResult {
  const { db, stores, world } = deps;
  const { eventId, posReference } = event;
  const refusal = checks.refusalOf(posReference);
  if (refusal !== null) throw new FinalizeRefused(refusal.errorCode, refusal.error);

  const forwarded = parse(ForwardedEventOrder, event).order;
  if (forwarded.posReference !== posReference) {
    throw new Refusal("VALIDATION_ERROR", `order.posReference: ${forwarded.posReference} is not ${posReference}`);
  }
  return transact(db, () => {
    const before = stores.orders.get(posReference);
    if (before?.status === "paid") {
      return { eventId, status: "duplicate", orderId: before.id, ...electronicReceipt(deps, checks.signing(), before) };
    }
    if (checks.verifiesTotals()) requireTotals(forwarded);
    const toStore = { posReference, tableId: forwarded.tableId ?? null, received: event.order };
    const paid = { ...toStore, status: "paid", source: "hub" } as const;
    adoptNcf(deps, forwarded);
    const placed = placeOrder(deps, paid, forwardedContent(forwarded));
    stores.auditEvents.add("hub_finalize", posReference, eventId, world.now());
    const fiscal = electronicReceipt(deps, checks.signing(), placed.order);
    return { eventId, status: "finalized", orderId: placed.order.id, ...fiscal };
  });
}

const ForwardedEventOrder = z.object({ order: ForwardedOrder });

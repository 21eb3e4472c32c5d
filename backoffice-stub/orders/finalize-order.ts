import { ForwardedOrder, Ncf } from "@comanda/protocol";
import type { BatchSyncResult, HubEventId } from "@comanda/protocol";
import { z } from "zod";
import { transact } from "../db/open.ts";
import { parse } from "../parse.ts";
import { FinalizeRefused, Refusal } from "../refusal.ts";
import type { OrderRoom } from "./place-order.ts";
import { mustFind, placeOrder } from "./place-order.ts";

/** Whether tests have this reference refused, and with which words. */
export type RefusalOf = (posReference: string) => { error: string; errorCode: string } | null;

export interface Finalization {
  eventId: HubEventId;
  posReference: string;
  order: unknown;
}

/**
 * Takes a paid order of the hub into the books, once: the regular creation in a savepoint of its own, with one audit
 * event. It is never refused for a closed POS session (it is booked into the last one) or for a table that is gone:
 * the money was taken.
 */
export function finalizeOrder(room: OrderRoom, refusalOf: RefusalOf, event: Finalization): BatchSyncResult {
  const { db, stores, world } = room;
  const { eventId, posReference } = event;
  const refusal = refusalOf(posReference);
  if (refusal !== null) throw new FinalizeRefused(refusal.errorCode, refusal.error);

  const forwarded = parse(ForwardedEventOrder, event).order;
  if (forwarded.posReference !== posReference) {
    throw new Refusal("VALIDATION_ERROR", `order.posReference: ${forwarded.posReference} is not ${posReference}`);
  }
  return transact(db, () => {
    const before = stores.orders.byReference(posReference);
    if (before?.status === "paid") return { eventId, status: "duplicate", orderId: before.id };
    placeOrder(room, {
      posReference,
      status: "paid",
      source: "hub",
      tableId: forwarded.tableId ?? null,
      received: event.order,
    });
    stores.auditEvents.add("hub_finalize", posReference, eventId, world.now());
    if (!takeOverNcf(room, forwarded)) stores.auditEvents.add("ncf_conflict", posReference, eventId, world.now());
    return { eventId, status: "finalized", orderId: mustFind(stores, posReference).id };
  });
}

const ForwardedEventOrder = z.object({ order: ForwardedOrder });

const SnapshotNumber = z.looseObject({
  ncf: z.string().nullish(),
  fiscal: z.looseObject({ ncf: z.string().nullish() }).nullish(),
});

/** Records the number that the hub's order bears. False when it is malformed, another order's, or not the reserved one. */
function takeOverNcf({ stores, world }: OrderRoom, { posReference, snapshot }: ForwardedOrder): boolean {
  const read = SnapshotNumber.safeParse(snapshot);
  const borne = read.success ? (read.data.ncf ?? read.data.fiscal?.ncf ?? null) : null;
  if (borne === null || borne === "") return true;

  const order = mustFind(stores, posReference);
  if (order.ncf !== null) return order.ncf === borne;
  if (!Ncf.safeParse(borne).success || stores.ncfNumbers.isGiven(borne)) return false;
  stores.ncfNumbers.give({
    ncf: borne,
    type: borne.slice(0, 3),
    holder: "order",
    orderId: order.id,
    rnc: null,
    expiresOn: null,
    givenAt: world.now(),
  });
  return true;
}

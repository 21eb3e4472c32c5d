import type { Db } from "../db/open.ts";
import type { Cutoff, Cutoffs } from "./cutoffs.ts";
import { finishedOrders, type FinishedOrder, type Kind, prepareKinds } from "./finished-orders.ts";
import { createForgetting } from "./forget-old.ts";
import { createPacker, packing } from "./pack-orders.ts";
import { createTicketPacker } from "./pack-tickets.ts";
import { createRemoval } from "./remove-orders.ts";
import { createTicketSettler } from "./settle-tickets.ts";

/** What a step did with an order or with a few other rows. */
export type TidyAction = "packed" | "settled" | "thinned" | "removed" | "kept" | "forgotten";

/**
 * Packs, thins and removes old data in small steps: each `next()` takes one in the caller's transaction. Nothing is kept
 * between steps, so the next run repeats a step that was rolled back.
 */
export function createTidying(db: Db, isConnected: (terminalId: string) => boolean = () => false) {
  const packer = createPacker(db);
  const ticketPacker = createTicketPacker(db);
  const settler = createTicketSettler(db);
  const kinds = prepareKinds(db);
  const lowWater = db.prepare<[number]>("UPDATE hub_state SET low_water_seq = max(low_water_seq, ?)");
  const raiseLowWater = (seq: number): void => void lowWater.run(seq);
  const { isHeld, removeOrder } = createRemoval(db, { packer, settler, raiseLowWater });
  const forget = createForgetting(db, { isConnected, raiseLowWater });

  /** Packs an order with its ripe tickets and, if `thins`, only the versions that thinning keeps. */
  function settle(kind: Kind, order: FinishedOrder, { before, counters }: Cutoff, thins: boolean): TidyAction {
    const { posReference, id } = order;
    const isThinned = thins || order.packing === packing.thinned || order.packing === packing.settledThinned;
    const settled = settler.settled(posReference, { before, seq: Math.min(counters.seq, settler.newestSettled()) });
    // If the order waits for a ticket that is not ripe yet, there is nothing new to pack.
    if (!thins && settled.length === 0 && settler.hasOthers(posReference)) return "kept";
    const now = packer.settle(id, settled, isThinned);
    if (now !== null) {
      settler.moved(now.tickets, id, now.id);
      settler.release(posReference, settled);
      kind.setId(posReference, now.id);
    }
    const isSettled = now !== null && !settler.hasOthers(posReference);
    kind.setPacking(posReference, packingOf(isSettled, isThinned));
    return thins ? "thinned" : isSettled ? "settled" : "kept";
  }

  return function* tidy({ packBefore, settle: rest, unseen, thin, remove }: Cutoffs): Generator<TidyAction> {
    const { asWritten, packed, thinned, settled, settledThinned } = packing;
    for (const kind of kinds) {
      const any = [settledThinned, settled, thinned, packed, asWritten];
      for (const order of finishedOrders(kind, any, remove.before)) {
        const isOld = order.seq <= remove.counters.seq && !isHeld(order, remove);
        if (isOld) removeOrder(kind, order);
        yield isOld ? "removed" : "kept";
      }
      for (const order of finishedOrders(kind, [settled, packed, asWritten], thin.before)) {
        yield order.seq <= thin.counters.seq ? settle(kind, order, rest, true) : "kept";
      }
      for (const order of finishedOrders(kind, [thinned, packed], rest.before)) {
        yield order.seq <= rest.counters.seq ? settle(kind, order, rest, false) : "kept";
      }
      for (const order of finishedOrders(kind, [asWritten], packBefore)) {
        const now = packer.pack(order.id);
        if (now !== null) settler.moved(now.tickets, order.id, now.id);
        kind.setPacking(order.posReference, packed);
        yield "packed";
      }
    }
    while (ticketPacker.packSome(packBefore)) yield "packed";
    yield* forget(remove, unseen);
  };
}

function packingOf(isSettled: boolean, isThinned: boolean): number {
  if (isThinned) return isSettled ? packing.settledThinned : packing.thinned;
  return isSettled ? packing.settled : packing.packed;
}

import { type StoredOrder, withoutControlCharacters } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { Numbering } from "../orders/store/numbering.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import type { LossRow, LossStore, NewLoss } from "./loss-store.ts";
import { MAX_BYTES, OPEN_IN_ALL, type Room } from "./offer-room.ts";

/** Notes finished checks that need no decision. A note becomes a loss if a source offers an earlier version of the check. */
export function createLossNotes({
  orders,
  numbering,
  losses,
}: {
  orders: Pick<OrderStore, "raiseFloor">;
  numbering: Pick<Numbering, "skip">;
  losses: LossStore;
}) {
  return { note, contradict };

  /** Notes a finished check that is not missing here. Does nothing if a newer note exists or there are too many. */
  function note(tx: Tx, loss: NewLoss, existing: LossRow | null): "useless" {
    if (existing !== null && existing.version >= loss.version) return "useless";
    const { count, bytes } = losses.offered("noted");
    if (count >= OPEN_IN_ALL || bytes >= MAX_BYTES) return "useless";
    if (existing === null) losses.add(tx, loss, "noted");
    else losses.renew(existing.id, loss, "noted");
    return "useless";
  }

  /** Turns the note on a check into a loss, because another source has an earlier version of the check. */
  function contradict(
    existing: LossRow,
    other: { order: StoredOrder; sources: readonly string[]; room: Room },
  ): "taken" | "no_room" {
    const order = existing.order ?? withoutControlCharacters(other.order);
    if (!other.room.take(JSON.stringify(order).length, true)) return "no_room";
    losses.renew(existing.id, {
      ...lossOf(existing),
      order,
      sources: [...new Set([...existing.sources, ...other.sources])],
    });
    orders.raiseFloor(existing.posReference, existing.version);
    if (other.sources.length > 1) numbering.skip(order.snapshot);
    return "taken";
  }
}

function lossOf({ kind, posReference, version, sources, knownAt, knownBy, order, mergedInto }: LossRow): NewLoss {
  return { kind, posReference, version, sources, knownAt, knownBy, order, mergedInto };
}

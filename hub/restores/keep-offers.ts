import { isDeepStrictEqual } from "node:util";
import { isActive, withoutControlCharacters, type StoredOrder, DAY_MS } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { toCents } from "../platform/money.ts";
import type { OrderDeps } from "../orders/order-deps.ts";
import type { LossStore } from "./loss-store.ts";

/** Older orders are not taken. */
const RECENT_MS = 7 * DAY_MS;
const OPEN_PER_TERMINAL = 500;
const ORDER_BYTES = 262_144;

/**
 * Stores orders that terminals held before history forked and this hub lacks, as proposals for a manager. Of several
 * versions of an order the highest is kept, with all terminals that have it.
 */
export function createOffers(deps: { orderDeps: OrderDeps; losses: LossStore; epoch: () => string }) {
  const { losses, epoch } = deps;
  const { changes, orders, world } = deps.orderDeps;

  function keep(tx: Tx, source: string, offered: StoredOrder): boolean {
    const { forward: _, ...order } = offered;
    const { posReference, version, snapshot } = order;
    const writtenAt = Date.parse(snapshot.updatedAt);
    if (snapshot.posReference !== posReference || !(tx.now - writtenAt < RECENT_MS)) return false;
    if (JSON.stringify(order).length > ORDER_BYTES || isKnown(order)) return false;
    const present = orders.get(posReference);
    const open = losses.openOf(posReference);
    if (open !== null && open.order !== null && open.version >= version) {
      if (open.version === version) losses.addSource(open, source);
      return open.version === version;
    }
    if (open === null && losses.countOpenFrom(source) >= OPEN_PER_TERMINAL) return false;
    const isPaid = !isActive(snapshot.status);
    const loss = {
      kind: isPaid ? "order_paid" : present === null ? "order_missing" : "order_older",
      posReference,
      version,
      sources: [source],
      knownAt: writtenAt,
      knownBy: null,
      // It was stored before the hub refused control characters, or made up.
      order: withoutControlCharacters(order),
    } as const;
    if (open === null) losses.add(tx, { ...loss, sources: [source] });
    else losses.renew(open.id, { ...loss, sources: [source] });
    orders.raiseFloor(posReference, version);
    return true;
  }

  /** A damaged order of this hub must not keep the other offers from being taken. */
  function tryKeep(tx: Tx, source: string, offered: StoredOrder): boolean {
    try {
      return keep(tx, source, offered);
    } catch (error) {
      world.log.error({ err: error, posReference: offered.posReference }, "an offered order cannot be compared");
      return false;
    }
  }

  /** Whether the hub has this, or a manager has decided on it. */
  function isKnown({ posReference, version, snapshot }: StoredOrder): boolean {
    if ((orders.removal(posReference)?.version ?? 0) > version) return true;
    if (losses.settledVersion(posReference) >= version) return true;
    if (losses.openOf(posReference)?.kind === "closed_by_back_office") return true;
    const present = orders.get(posReference);
    if (present === null) return false;
    if (isDeepStrictEqual(orders.versionBody(posReference, version)?.snapshot, snapshot)) return true;
    // A check that is paid here for the same total leaves nothing to decide.
    return (
      !isActive(present.snapshot.status) && toCents(present.snapshot.totals.total) === toCents(snapshot.totals.total)
    );
  }

  return {
    keep(terminalId: string, offeredEpoch: string, offered: readonly StoredOrder[]): Promise<number> {
      return changes.write((tx) => {
        if (offeredEpoch === epoch()) return 0;
        const taken = offered.filter((order) => tryKeep(tx, `terminal:${terminalId}`, order)).length;
        if (taken === 0) return 0;
        world.log.warn({ terminalId, orders: taken }, "a terminal knows orders that this hub has lost");
        tx.notify(["losses"]);
        return taken;
      });
    },
  };
}

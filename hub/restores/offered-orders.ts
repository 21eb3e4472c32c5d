import { isDeepStrictEqual } from "node:util";
import {
  DAY_MS,
  isActive,
  type LossKind,
  type OrderRemoval,
  type Snapshot,
  type StoredOrder,
  withoutControlCharacters,
} from "@comanda/protocol";
import { toCents } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { hasKitchenWorkLeft, hasMoreKitchenWork } from "../db/restore/kitchen-work.ts";
import type { Numbering } from "../orders/store/numbering.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { isDiskFailure } from "../platform/error-facts.ts";
import type { World } from "../platform/world.ts";
import type { LossRow, LossStore, NewLoss } from "./loss-store.ts";
import { createLossNotes } from "./loss-notes.ts";
import type { Room } from "./offer-room.ts";
import { isPaidAlike } from "./paid-alike.ts";

/** Older orders are not taken. */
export const RECENT_MS = 7 * DAY_MS;
const ORDER_BYTES = 262_144;
/** More versions than anybody writes of an order; a number beyond what the hub has and this was never given by it. */
const VERSIONS_AHEAD = 10_000;

/** What is known of a check elsewhere. */
export type Offered = StoredOrder | OrderRemoval;

/** Who offers. */
export type Source = `terminal:${string}` | typeof HEADQUARTERS;
const HEADQUARTERS = "headquarters";

/** Who offers first, then whose history it is where that is not this hub's. */
export type Sources = [source: Source, ...about: string[]];

/** `useless`: the hub has it, somebody has decided on it, or nobody could use it. */
export type Outcome = "taken" | "useless" | "never_given" | "no_room";

export interface OfferDeps {
  world: World;
  orders: OrderStore;
  numbering: Numbering;
  losses: LossStore;
}

/** Keeps what is offered of single checks, where this hub lacks it. */
export function createOfferedOrders(deps: OfferDeps) {
  const { world, orders, numbering, losses } = deps;

  const { note, contradict } = createLossNotes(deps);

  function keepOrder(tx: Tx, sources: Sources, offered: StoredOrder, room: Room): Outcome {
    const { forward: _, ...order } = offered;
    const { posReference, version, snapshot } = order;
    const writtenAt = Date.parse(snapshot.updatedAt);
    if (snapshot.posReference !== posReference || !(tx.now - writtenAt < RECENT_MS)) return "useless";
    const bytes = JSON.stringify(order).length;
    if (bytes > ORDER_BYTES || isKnown(order)) return "useless";
    const [source, ...about] = sources;
    const open = losses.openOf(posReference);
    const refused = whyNotOf(offered, about, open);
    if (refused !== null) return refused;
    const present = orders.get(posReference);
    const isReplaced = open?.version === version && isWithoutGuests(open, source);
    if (open !== null && (open.order !== null || isRemoval(open)) && open.version >= version && !isReplaced) {
      if (open.version === version) losses.addSource(open, source);
      return open.version === version ? "taken" : "useless";
    }
    const noted = open === null ? losses.notedOf(posReference) : null;
    // Somebody who left earlier does not know what became of it: a manager hears of both.
    if (noted !== null && noted.version > version) return contradict(noted, { order, sources, room });
    const loss = {
      kind: kindOf(snapshot, present),
      posReference,
      version,
      sources: [],
      knownAt: writtenAt,
      knownBy: null,
      // It was stored before the hub refused control characters, or made up.
      order: withoutControlCharacters(order),
    } as const;
    // What another hub had closed is in the back-office: nobody misses more of it than what its kitchen has to make.
    const isOver = about.length > 0 && snapshot.status === "closed" && !hasKitchenWorkLeft(snapshot);
    if (isOver && open === null) return note(tx, { ...loss, sources }, noted);
    if (!room.take(bytes, open === null)) return "no_room";
    const known = open ?? noted;
    if (known === null) losses.add(tx, { ...loss, sources });
    else losses.renew(known.id, { ...loss, sources });
    orders.raiseFloor(posReference, version);
    if (about.length > 0) numbering.skip(snapshot);
    return "taken";
  }

  /** What a terminal knows to be discarded or merged: final, so that only a newer word of the same kind counts more. */
  function keepRemoval(tx: Tx, sources: Sources, removal: OrderRemoval, room: Room): Outcome {
    const { posReference, version, mergedInto, at } = removal;
    const [source, ...about] = sources;
    if (orders.wasRemoved(posReference) || losses.settledVersion(posReference) >= version) return "useless";
    const open = losses.openOf(posReference);
    if (open?.kind === "closed_by_back_office") return "useless";
    const refused = whyNotOf(removal, about, open);
    if (refused !== null) return refused;
    if (open !== null && open.version >= version) {
      if (open.version === version) losses.addSource(open, source);
      return open.version === version ? "taken" : "useless";
    }
    const loss: NewLoss = {
      kind: mergedInto === undefined ? "order_discarded" : "order_merged",
      posReference,
      version,
      sources: [...new Set([...(open?.sources ?? []), ...sources])],
      knownAt: Math.min(Date.parse(at), tx.now),
      knownBy: null,
      order: open?.order ?? null,
      ...(mergedInto !== undefined && { mergedInto }),
    };
    if (open === null && orders.get(posReference) === null) return note(tx, loss, losses.notedOf(posReference));
    if (!room.take(JSON.stringify(removal).length, open === null)) return "no_room";
    if (open === null) losses.add(tx, loss);
    else losses.renew(open.id, loss);
    orders.raiseFloor(posReference, version);
    return "taken";
  }

  /** What speaks against an offer of any kind, or null. */
  function whyNotOf(
    { posReference, version }: { posReference: string; version: number },
    about: readonly string[],
    open: LossRow | null,
  ): Outcome | null {
    const present = orders.get(posReference);
    const given = Math.max(present?.version ?? 0, orders.removal(posReference)?.version ?? 0);
    if (version > given + VERSIONS_AHEAD) return "never_given";
    // What this hub has, or has lost, is not another's.
    const isHere = present !== null || orders.wasRemoved(posReference);
    const isMixed = isHere || (open !== null && !about.every((each) => open.sources.includes(each)));
    return about.length > 0 && isMixed ? "useless" : null;
  }

  /** Whether the hub has this, or a manager has decided on it. */
  function isKnown({ posReference, version, snapshot }: StoredOrder): boolean {
    if ((orders.removal(posReference)?.version ?? 0) > version) return true;
    if (losses.settledVersion(posReference) >= version) return true;
    const open = losses.openOf(posReference);
    // The back-office's word stands, but it does not say what was paid for.
    if (open?.kind === "closed_by_back_office" && !isWhatWasPaid(snapshot, open)) return true;
    const present = orders.get(posReference);
    if (present === null) return false;
    if (isDeepStrictEqual(orders.versionBody(posReference, version)?.snapshot, snapshot)) return true;
    // A check that is paid here in the same way leaves nothing to decide but what its kitchen did.
    return isPaidAlike(present.snapshot, snapshot) && !hasMoreKitchenWork(snapshot, present.snapshot);
  }

  /** A damaged order of this hub must not keep the other offers from being taken. */
  return function tryKeep(tx: Tx, sources: Sources, offered: Offered, room: Room): Outcome {
    try {
      return "snapshot" in offered ? keepOrder(tx, sources, offered, room) : keepRemoval(tx, sources, offered, room);
    } catch (error) {
      // A full disk: none of them is kept, and they are offered again.
      if (isDiskFailure(error)) throw error;
      world.log.error({ err: error, posReference: offered.posReference }, "an offered order cannot be compared");
      return "useless";
    }
  };
}

/** Headquarters have no names of guests: a terminal that has the same check has more of it. */
function isWithoutGuests({ sources }: LossRow, source: Source): boolean {
  return sources[0] === HEADQUARTERS && source !== HEADQUARTERS;
}

function isWhatWasPaid({ status, totals }: Snapshot, { backOffice }: LossRow): boolean {
  return !isActive(status) && backOffice !== null && toCents(totals.total) === toCents(backOffice.total);
}

function kindOf(offered: Snapshot, present: StoredOrder | null): LossKind {
  if (present === null) return isActive(offered.status) ? "order_missing" : "order_paid";
  if (isPaidAlike(present.snapshot, offered)) return "kitchen_work";
  return isActive(offered.status) ? "order_older" : "order_paid";
}

/** That a check is over for good: what was offered of it before says nothing against it. */
function isRemoval({ kind }: LossRow): boolean {
  return kind === "order_discarded" || kind === "order_merged";
}

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
import { hasOpenKitchenWork, hasMoreKitchenWork } from "../db/restore/kitchen-work.ts";
import type { Numbering } from "../orders/store/numbering.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { isDiskFailure } from "../platform/error-facts.ts";
import type { World } from "../platform/world.ts";
import type { LossRow, LossStore, NewLoss } from "./loss-store.ts";
import { createLossNotes } from "./loss-notes.ts";
import type { Room } from "./offer-room.ts";
import { isPaidAlike } from "./paid-alike.ts";

/** The maximum age of orders that are taken. */
export const RECENT_MS = 7 * DAY_MS;
const ORDER_BYTES = 262_144;
/** More versions than an order can get. An offered version further above the hub's own cannot be from this hub. */
const VERSIONS_AHEAD = 10_000;

/** An order, or its removal, that a source knows. */
export type Offered = StoredOrder | OrderRemoval;

/** The source of an offer. */
export type Source = `terminal:${string}` | typeof HEADQUARTERS;
const HEADQUARTERS = "headquarters";

/** The source of an offer, then the former hub if the offer is from another hub's history. */
export type Sources = [source: Source, ...about: string[]];

/** `useless`: the hub has the order, a manager has decided on it, or it cannot be used. */
export type Outcome = "taken" | "useless" | "never_given" | "no_room";

export interface OfferDeps {
  world: World;
  orders: OrderStore;
  numbering: Numbering;
  losses: LossStore;
}

/** Returns a function that keeps an offered order or removal if this hub lacks it. */
export function createOfferedOrders(deps: OfferDeps) {
  const { world, orders, numbering, losses } = deps;

  const { note, contradict } = createLossNotes(deps);

  function keepOrder(tx: Tx, sources: Sources, offered: StoredOrder, room: Room): Outcome {
    const { forward: _, ...order } = offered;
    const { posReference, version, snapshot } = order;
    const writtenAt = Date.parse(snapshot.updatedAt);
    if (snapshot.posReference !== posReference || !(tx.now - writtenAt < RECENT_MS)) return "useless";
    const bytes = JSON.stringify(order).length;
    if (bytes > ORDER_BYTES || isUnneeded(order)) return "useless";
    const [source, ...about] = sources;
    const open = losses.findOpen(posReference);
    const refused = refusalOf(offered, about, open);
    if (refused !== null) return refused;
    const present = orders.get(posReference);
    const isReplaced = open?.version === version && isWithoutGuests(open, source);
    if (open !== null && (open.order !== null || isRemoval(open)) && open.version >= version && !isReplaced) {
      if (open.version === version) losses.addSource(open, source);
      return open.version === version ? "taken" : "useless";
    }
    const existingNote = open === null ? losses.findNoted(posReference) : null;
    // The source has an earlier version than the note, so that a manager must decide.
    if (existingNote !== null && existingNote.version > version)
      return contradict(existingNote, { order, sources, room });
    const loss = {
      kind: kindOf(snapshot, present),
      posReference,
      version,
      sources: [],
      knownAt: writtenAt,
      knownBy: null,
      // The order may have been stored before the hub rejected control characters, or be forged.
      order: withoutControlCharacters(order),
    } as const;
    // The back-office has orders that another hub closed, so only unfinished kitchen work could be missing.
    const isOver = about.length > 0 && snapshot.status === "closed" && !hasOpenKitchenWork(snapshot);
    if (isOver && open === null) return note(tx, { ...loss, sources }, existingNote);
    if (!room.take(bytes, open === null)) return "no_room";
    const existing = open ?? existingNote;
    if (existing === null) losses.add(tx, { ...loss, sources });
    else losses.renew(existing.id, { ...loss, sources });
    orders.raiseFloor(posReference, version);
    if (about.length > 0) numbering.skip(snapshot);
    return "taken";
  }

  /** Keeps the removal of a discarded or merged check. It is final, so that only a newer removal replaces it. */
  function keepRemoval(tx: Tx, sources: Sources, removal: OrderRemoval, room: Room): Outcome {
    const { posReference, version, mergedInto, at } = removal;
    const [source, ...about] = sources;
    if (orders.wasRemoved(posReference) || losses.settledVersion(posReference) >= version) return "useless";
    const open = losses.findOpen(posReference);
    if (open?.kind === "closed_by_back_office") return "useless";
    const refused = refusalOf(removal, about, open);
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
    if (open === null && orders.get(posReference) === null) return note(tx, loss, losses.findNoted(posReference));
    if (!room.take(JSON.stringify(removal).length, open === null)) return "no_room";
    if (open === null) losses.add(tx, loss);
    else losses.renew(open.id, loss);
    orders.raiseFloor(posReference, version);
    return "taken";
  }

  /** Returns why an offer of any kind is not taken; null if there is no reason. */
  function refusalOf(
    { posReference, version }: { posReference: string; version: number },
    about: readonly string[],
    open: LossRow | null,
  ): Outcome | null {
    const present = orders.get(posReference);
    const highest = Math.max(present?.version ?? 0, orders.getRemoval(posReference)?.version ?? 0);
    if (version > highest + VERSIONS_AHEAD) return "never_given";
    // An order that this hub has, or has lost itself, is not taken from another hub's history.
    const isPresent = present !== null || orders.wasRemoved(posReference);
    const isMixed = isPresent || (open !== null && !about.every((each) => open.sources.includes(each)));
    return about.length > 0 && isMixed ? "useless" : null;
  }

  /** Whether the hub has this version, or a manager has decided on it. */
  function isUnneeded({ posReference, version, snapshot }: StoredOrder): boolean {
    if ((orders.getRemoval(posReference)?.version ?? 0) > version) return true;
    if (losses.settledVersion(posReference) >= version) return true;
    const open = losses.findOpen(posReference);
    // The back-office's answer counts, but it lacks the lines, which an offer with the same total can add.
    if (open?.kind === "closed_by_back_office" && !isSamePayment(snapshot, open)) return true;
    const present = orders.get(posReference);
    if (present === null) return false;
    if (isDeepStrictEqual(orders.versionBody(posReference, version)?.snapshot, snapshot)) return true;
    // If the check is paid here in the same way, only kitchen work could be missing.
    return isPaidAlike(present.snapshot, snapshot) && !hasMoreKitchenWork(snapshot, present.snapshot);
  }

  /** Keeps one offer. Catches errors, because a damaged order of this hub must not block the other offers. */
  return function tryKeep(tx: Tx, sources: Sources, offered: Offered, room: Room): Outcome {
    try {
      return "snapshot" in offered ? keepOrder(tx, sources, offered, room) : keepRemoval(tx, sources, offered, room);
    } catch (error) {
      // On a disk failure nothing is kept, and the source offers the orders again.
      if (isDiskFailure(error)) throw error;
      world.log.error({ err: error, posReference: offered.posReference }, "an offered order cannot be compared");
      return "useless";
    }
  };
}

/** Whether a loss lacks guests' names that the new source has: headquarters do not know them, terminals do. */
function isWithoutGuests({ sources }: LossRow, source: Source): boolean {
  return sources[0] === HEADQUARTERS && source !== HEADQUARTERS;
}

function isSamePayment({ status, totals }: Snapshot, { backOffice }: LossRow): boolean {
  return !isActive(status) && backOffice !== null && toCents(totals.total) === toCents(backOffice.total);
}

function kindOf(offered: Snapshot, present: StoredOrder | null): LossKind {
  if (present === null) return isActive(offered.status) ? "order_missing" : "order_paid";
  if (isPaidAlike(present.snapshot, offered)) return "kitchen_work";
  return isActive(offered.status) ? "order_older" : "order_paid";
}

/** Whether a loss is a removal, which is final: earlier versions of the check do not contradict it. */
function isRemoval({ kind }: LossRow): boolean {
  return kind === "order_discarded" || kind === "order_merged";
}

import { isDeepStrictEqual } from "node:util";
import { DAY_MS, isActive, type StoredOrder, withoutControlCharacters } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { OrderDeps } from "../orders/order-deps.ts";
import { toCents } from "../platform/money.ts";
import type { LossStore } from "./loss-store.ts";

/** Older orders are not taken, and none when the last loss is longer ago. */
const RECENT_MS = 7 * DAY_MS;
/** What managers can look through, and what the data file can bear. */
const OPEN_PER_TERMINAL = 500;
const OPEN_IN_ALL = 1_000;
const BYTES_IN_ALL = 32 * 1024 * 1024;
const ORDER_BYTES = 262_144;
/** More versions than anybody writes of an order; a number beyond what the hub has and this was never given by it. */
const VERSIONS_AHEAD = 10_000;

/** What became of offered orders. */
export interface OffersKept {
  taken: number;
  /** Those for which there is no room until a manager has decided. */
  waiting?: string[];
  /** Why not all were taken, where that is not because the hub has them. */
  error?: string;
}

/**
 * Stores orders that terminals held before history forked and this hub lacks, as proposals for a manager. Of several
 * versions of an order the highest is kept, with all terminals that have it.
 */
export function createOffers(deps: {
  orderDeps: OrderDeps;
  losses: LossStore;
  isFormerEpoch: (epoch: string) => boolean;
}) {
  const { losses, isFormerEpoch } = deps;
  const { changes, orders, world } = deps.orderDeps;

  /** Whether the hub may lack what terminals have: a backup was restored, or the end of the file was lost. */
  function isLossOpen(now: number): boolean {
    const [last] = losses.restores(1);
    return last !== undefined && now - last.at < RECENT_MS;
  }

  function keep(tx: Tx, source: string, offered: StoredOrder): Outcome {
    const { forward: _, ...order } = offered;
    const { posReference, version, snapshot } = order;
    const writtenAt = Date.parse(snapshot.updatedAt);
    if (snapshot.posReference !== posReference || !(tx.now - writtenAt < RECENT_MS)) return "useless";
    if (JSON.stringify(order).length > ORDER_BYTES || isKnown(order)) return "useless";
    const present = orders.get(posReference);
    const given = Math.max(present?.version ?? 0, orders.removal(posReference)?.version ?? 0);
    if (version > given + VERSIONS_AHEAD) return "never_given";
    const open = losses.openOf(posReference);
    if (open !== null && open.order !== null && open.version >= version) {
      if (open.version === version) losses.addSource(open, source);
      return open.version === version ? "taken" : "useless";
    }
    if (!hasRoom(source, open === null)) return "no_room";
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
    return "taken";
  }

  function hasRoom(source: string, isNew: boolean): boolean {
    const held = losses.fromTerminals();
    if (held.bytes >= BYTES_IN_ALL) return false;
    return !isNew || (held.count < OPEN_IN_ALL && losses.countOpenFrom(source) < OPEN_PER_TERMINAL);
  }

  /** A damaged order of this hub must not keep the other offers from being taken. */
  function tryKeep(tx: Tx, source: string, offered: StoredOrder): Outcome {
    try {
      return keep(tx, source, offered);
    } catch (error) {
      world.log.error({ err: error, posReference: offered.posReference }, "an offered order cannot be compared");
      return "useless";
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
    /** Whether terminals should offer what they have. */
    areWanted: (): boolean => isLossOpen(world.clock.now()),

    keep(terminalId: string, offeredEpoch: string, offered: readonly StoredOrder[]): Promise<OffersKept> {
      return changes.write((tx) => {
        if (!isLossOpen(tx.now)) return { taken: 0, error: words.nothing_lost };
        if (!isFormerEpoch(offeredEpoch)) return { taken: 0, error: words.other_history };
        const became = offered.map((order) => tryKeep(tx, `terminal:${terminalId}`, order));
        const taken = became.filter((outcome) => outcome === "taken").length;
        const waiting = offered.filter((_, at) => became[at] === "no_room").map((order) => order.posReference);
        const why = waiting.length > 0 ? "no_room" : became.includes("never_given") ? "never_given" : null;
        if (taken > 0) {
          world.log.warn({ terminalId, orders: taken }, "a terminal knows orders that this hub has lost");
          tx.notify(["losses"]);
        }
        return { taken, ...(waiting.length > 0 && { waiting }), ...(why !== null && { error: words[why] }) };
      });
    },
  };
}

/** `useless`: the hub has it, somebody has decided on it, or nobody could use it. */
type Outcome = "taken" | "useless" | "never_given" | "no_room";

const words = {
  nothing_lost: "this hub has lost nothing in the last 7 days: there is nothing to offer",
  other_history: "epoch: this is no former history of this hub",
  never_given: "version: this hub cannot have given so high a version of an order that it has not",
  no_room: "the hub's list of what was lost is full: a manager has to decide on it first",
} as const;

import { type ChainBatch, type ChainDigest, instantOf } from "@comanda/protocol/chain.ts";
import type { HoleCause } from "@comanda/protocol/headquarters.ts";
import { type CheckRow, checkRow, removedRow, tooLargeRow } from "./check-row.ts";
import { clockOfZone } from "./instants.ts";
import type { Hole, Standing } from "./assess-batch.ts";

interface OfRestaurant {
  restaurant_id: string;
}

export interface EndedTransfer {
  hubId: string;
  fullId: number;
  /** The time from which it holds closed checks, ms since 1970. */
  since: number;
  /** The restaurant's own hub was restored from a backup, and lost what the transfer lacks. */
  isRestored: boolean;
}

/** The changes in one transaction's messages: the newest state of each object, written together at the end. */
export type Collected = ReturnType<typeof collectNothing>;

export function collectNothing() {
  return {
    checks: new Map<string, OfRestaurant & CheckRow & { hub_id: string; seq: number; full_id: number }>(),
    items: new Map<string, OfRestaurant & { product_id: string; seq: number; full_id: number; body: object }>(),
    facts: [] as (OfRestaurant & { epoch: string; id: number; at: string; kind: string; body: object })[],
    /** Each restaurant's standing, and the time that its checks here are as of (ms since 1970). */
    standings: new Map<string, { standing: Standing; copyOf: number | null }>(),
    /** The time zone of each restaurant. */
    zones: new Map<string, string>(),
    /** Each restaurant's clock when it made its latest batch, ms since 1970. */
    clocks: new Map<string, number>(),
    /** Restaurants whose full transfer has ended with all its parts. */
    ended: new Map<string, EndedTransfer>(),
    /** Restaurants that lost part of their history, with the highest `full_id` of the rows that they may have lost. */
    forked: new Map<string, number>(),
    /** `copyOf`: the time that the restaurant's checks were as of before the hole, ms since 1970. */
    holes: [] as (OfRestaurant & Hole & { cause: HoleCause; copyOf: number | null })[],
    /** Restaurants with a complete copy, and the time from which it holds closed checks, ms since 1970. */
    filled: new Map<string, number>(),
    /** Restaurants that a second hub claims to be. */
    rivals: new Set<string>(),
    digests: [] as (OfRestaurant & { digest: ChainDigest; at: number })[],
  };
}

/**
 * Adds what is new in a batch: objects with a `seq` above `above`. Throws a RangeError before it has added any object if an
 * amount is too large.
 */
export function collectBatch(
  collected: Collected,
  batch: ChainBatch,
  { above, factId, fullId, now }: { above: number; factId: number; fullId: number; now: number },
): void {
  const restaurant = batch.r;
  const clock = clockOfZone(batch.clock.zone);
  if (clock === null) throw new RangeError("clock.zone is no time zone");
  const counting = { clock, pricing: batch.pricing };
  collected.clocks.set(restaurant, instantOf(batch.at) ?? now);
  const isNew = ({ seq }: { seq: number }): boolean => seq > above;
  const orders = batch.orders.filter(isNew).map((entry) => ({
    seq: entry.seq,
    row: "order" in entry ? checkRow(entry.order, counting, now) : tooLargeRow(entry.posReference, entry.bytes, now),
  }));
  const removed = batch.removed.filter(isNew).map((each) => ({ seq: each.seq, row: removedRow(each, counting, now) }));

  collected.zones.set(restaurant, batch.clock.zone);
  const common = { restaurant_id: restaurant, full_id: fullId };
  // In order of `seq`: a reference that was removed and came back has its last state.
  for (const { seq, row } of [...orders, ...removed].toSorted((one, other) => one.seq - other.seq)) {
    collected.checks.set(`${restaurant} ${row.pos_reference}`, { ...common, hub_id: batch.hubId, seq, ...row });
  }
  for (const { seq, item } of batch.items.filter(isNew)) {
    const productId = String(item.productId);
    collected.items.set(`${restaurant} ${productId}`, { ...common, seq, product_id: productId, body: item });
  }
  for (const { id, at, kind, body } of batch.facts) {
    if (id <= factId) continue;
    const when = new Date(instantOf(at) ?? now).toISOString();
    collected.facts.push({ restaurant_id: restaurant, epoch: batch.epoch, id, at: when, kind, body });
  }
  if (batch.digest !== undefined && batch.to >= above) {
    collected.digests.push({ restaurant_id: restaurant, digest: batch.digest, at: instantOf(batch.at) ?? now });
  }
}

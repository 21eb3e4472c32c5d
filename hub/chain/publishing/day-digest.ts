import { addDays, restaurantClock, type RestaurantClock } from "@comanda/protocol";
import {
  chainDigest,
  type ChainDigest,
  type ChainOrder,
  chainPaidAt,
  type ChainRemoval,
} from "@comanda/protocol/chain.ts";
import { toCents } from "@comanda/rules";
import { sha256 } from "../../platform/world.ts";
import { dayBounds } from "../../time/business-day.ts";
import { presentObjects } from "./batch.ts";
import { nextDigest, type NextBatch, type Position, type Reading } from "./next-batch.ts";

/** Shortest interval between two digests: while checks keep changing, no digest can be sent. */
const AGAIN_MS = 60_000;
/** Checks read at a time. */
const SLICE = 200;

/**
 * Sends headquarters a digest of the last finished business day, once, and of each day that differs at headquarters. The digest
 * covers the checks as they are sent. Headquarters request what differs.
 */
export function createDayDigests(reading: Reading) {
  const { world, source } = reading;
  const sent = new Set<string>();
  let differing: readonly string[] = [];
  let clock: { zone: string; dayOf: RestaurantClock["day"] } | null = null;
  /** Monotonic time. */
  let notBefore = -Infinity;

  /** Returns the clock of a zone. Cached: called after each batch and for each check of a day. */
  function clockOf(zone: string): { zone: string; dayOf: RestaurantClock["day"] } {
    if (clock?.zone !== zone) clock = { zone, dayOf: restaurantClock(zone).day };
    return clock;
  }

  return {
    /** Returns null if no digest is due or something changed meanwhile. Called when nothing else is left to send. */
    async next(from: Position & { kind: "live" }): Promise<NextBatch | null> {
      const { zone, dayOf } = clockOf(source.envelope().clock.zone);
      const yesterday = addDays(dayOf(world.clock.now()), -1);
      const day = [yesterday, ...differing].find((each) => !sent.has(each));
      if (day === undefined || world.clock.monotonic() < notBefore) return null;
      notBefore = world.clock.monotonic() + AGAIN_MS;
      const seq = source.newestSeq();
      const digest = await readDay(reading, day, { from: dayBounds(day, zone).from, dayOf });
      return nextDigest(reading, from, { seq, digest });
    },
    sent(day: string): void {
      sent.add(day);
      notBefore = -Infinity;
    },
    /** Called with the days that differ at headquarters. */
    noteDiffering(days: readonly string[]): void {
      differing = days;
    },
    /** Forgets which digests were sent: they may not have arrived. */
    forget(): void {
      sent.clear();
      notBefore = -Infinity;
    },
  };
}

/** Computes a day's digest from what a full transfer would send, over several turns of the event loop. */
async function readDay(
  { world, source }: Reading,
  day: string,
  { from, dayOf }: { from: number; dayOf: RestaurantClock["day"] },
): Promise<ChainDigest> {
  const heads = await source.atRest(() => source.listAll(from));
  const checks = heads.filter(({ kind }) => kind === "orders" || kind === "removed");
  const paid = [];
  let removed = 0;
  for (let begin = 0; begin < checks.length; begin += SLICE) {
    const objects = await source.atRest(() => source.read(checks.slice(begin, begin + SLICE)));
    for (const { kind, json } of await presentObjects(world, objects)) {
      if (kind === "removed") {
        const { mergedInto, at } = JSON.parse(json) as ChainRemoval;
        if (mergedInto === undefined && dayOf(Date.parse(at)) === day) removed += 1;
        continue;
      }
      // Without its content if it is too large for a message: headquarters do not have the content either.
      const { order } = JSON.parse(json) as Partial<ChainOrder>;
      const paidAt = order === undefined ? null : chainPaidAt(order);
      if (order === undefined || paidAt === null || dayOf(paidAt) !== day) continue;
      const { posReference, version, snapshot } = order;
      paid.push({ posReference, version, totalCents: toCents(snapshot.totals.total) });
    }
  }
  return chainDigest(day, { paid, removed }, sha256);
}

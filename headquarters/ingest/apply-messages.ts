import type { Queries } from "../db/database.ts";
import { collectBatch, type Collected, collectNothing } from "./collected.ts";
import { badBatch, type BatchMessage, type Decoded } from "./decode-batch.ts";
import { instantOf } from "@comanda/protocol/chain.ts";
import type { HoleCause } from "@comanda/protocol/headquarters.ts";
import { compareDigests } from "./digests.ts";
import { clockOfZone } from "./instants.ts";
import { type Hole, judge, passOver, type Standing } from "./judge.ts";
import { BAD_TIMES, createQuarantine } from "./quarantine.ts";
import { type KnownRestaurant, lockStandings, wantFull } from "./standings.ts";
import { writeCollected } from "./write-collected.ts";

export interface Received {
  message: BatchMessage;
  decoded: Decoded;
}

/** What restaurants are told when the transaction has been committed. */
export type Outcome = ReturnType<typeof noOutcome>;

function noOutcome() {
  return {
    /** Where each restaurant stands that was heard of. */
    standings: new Map<string, Standing>(),
    /** Those that are to send again from there. */
    resend: new Set<string>(),
    /** By which generation. */
    superseded: new Map<string, number>(),
    counts: { applied: 0, duplicates: 0, gaps: 0, bad: 0, superseded: 0, holes: 0 },
  };
}

/**
 * Applies messages in their order, in the caller's transaction. Whatever is in them, it concerns the restaurant of its subject
 * alone. Throws what the database throws.
 */
export async function applyMessages(
  queries: Queries,
  received: readonly Received[],
  { now: at, checkDays }: { now: number; checkDays: number },
): Promise<Outcome> {
  const now = new Date(at);
  const restaurants = [...new Set(received.flatMap(({ decoded: { restaurant } }) => restaurant ?? []))];
  const known = await lockStandings(queries, restaurants);
  let collected = collectNothing();
  const quarantine = createQuarantine(queries, now);
  const outcome = noOutcome();
  const differing: string[] = [];

  async function setAside(message: BatchMessage, bad: Extract<Decoded, { kind: "bad" }>): Promise<void> {
    outcome.counts.bad += 1;
    const { restaurant, place, range, reason } = bad;
    const times = await quarantine.add(message, bad);
    const found = restaurant === null ? undefined : known.get(restaurant);
    if (restaurant === null || found === undefined) return;
    outcome.standings.set(restaurant, found.standing);
    const passed = times >= BAD_TIMES && range !== "" && !bad.isTooNew ? passOver(found.standing, place) : null;
    if (passed === null) return void outcome.resend.add(restaurant);
    await quarantine.forgive(restaurant, range);
    keep(restaurant, found, passed.next);
    if (passed.hole === null) return;
    outcome.counts.holes += 1;
    const cause: HoleCause = { kind: "unreadable", error: reason };
    collected.holes.push({ restaurant_id: restaurant, ...passed.hole, cause, copyOf: found.copyOf });
  }

  function keep(restaurant: string, found: KnownRestaurant, standing: Standing): void {
    found.standing = standing;
    collected.standings.set(restaurant, { standing, copyOf: found.copyOf });
    outcome.standings.set(restaurant, standing);
  }

  async function take(message: BatchMessage, decoded: Extract<Decoded, { kind: "batch" }>): Promise<void> {
    const { restaurant, batch, range } = decoded;
    const refuse = (reason: string) => {
      outcome.counts.bad += 1;
      return quarantine.add(message, { restaurant, reason, range });
    };
    const found = known.get(restaurant);
    if (found === undefined) return void (await refuse("there is no such restaurant"));
    outcome.standings.set(restaurant, found.standing);
    if (!isHubOf(found, batch.hubId))
      return void (await refuse(`hubId: ${batch.hubId} is not the hub that was enrolled`));
    const verdict = judge(found.standing, batch);
    switch (verdict.kind) {
      case "duplicate":
        outcome.counts.duplicates += 1;
        return;
      case "gap":
        outcome.counts.gaps += 1;
        outcome.resend.add(restaurant);
        return;
      case "superseded":
        outcome.superseded.set(restaurant, verdict.by);
        outcome.counts.superseded += 1;
        await quarantine.add(message, { restaurant, reason: `generation ${batch.generation} is over`, range });
        return;
      case "rival":
        collected.rivals.add(restaurant);
        await refuse(verdict.reason);
        return;
      case "apply":
        // A transfer is compared with what was here before it: of a history that is lost now, and of where its hub was before.
        // What a day was is compared with what is here in that moment.
        if (verdict.fullId > found.standing.fullId || hasSaidDay(restaurant)) await write();
        try {
          apply(found, decoded, verdict);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          await setAside(message, badBatch(decoded, error.message));
        }
    }
  }

  function apply(
    found: KnownRestaurant,
    { restaurant, batch }: Extract<Decoded, { kind: "batch" }>,
    { next, objectsAbove, fullId, hole, ends, losesUpTo }: Extract<ReturnType<typeof judge>, { kind: "apply" }>,
  ): void {
    const { factId, hubId } = found.standing;
    collectBatch(collected, batch, { above: objectsAbove, factId, fullId, now: at });
    if (losesUpTo !== undefined) collected.forked.set(restaurant, losesUpTo);
    if (ends?.isWhole === true) {
      const since = instantOf(batch.since) ?? 0;
      const isOwn = hubId === batch.hubId;
      const isRestored = isOwn && losesUpTo !== undefined;
      collected.ended.set(restaurant, { hubId: batch.hubId, fullId, since, isRestored });
      // What another hub had is not in it.
      if (isOwn) fillHoles(collected, restaurant, since);
    }
    const cause = ends === undefined ? null : goneBetween(found.copyOf, instantOf(batch.since), batch.clock.zone);
    const holes = holesOf(found.standing, next, { hole, notSent: cause });
    outcome.counts.holes += holes.length;
    collected.holes.push(...holes.map((each) => ({ restaurant_id: restaurant, ...each, copyOf: found.copyOf })));
    // While more is to come the copy is as old as it was.
    const isComplete = next.isFullDone && next.transfer === null && batch.more !== true;
    if (isComplete) found.copyOf = instantOf(batch.at) ?? found.copyOf;
    keep(restaurant, found, next);
    outcome.counts.applied += 1;
    outcome.resend.delete(restaurant);
  }

  async function write(): Promise<void> {
    await writeCollected(queries, collected, { now, checkDays });
    differing.push(...(await compareDigests(queries, collected, now)));
    collected = collectNothing();
  }

  const hasSaidDay = (restaurant: string): boolean =>
    collected.digests.some(({ restaurant_id }) => restaurant_id === restaurant);

  for (const { message, decoded } of received) {
    if (decoded.kind === "bad") await setAside(message, decoded);
    else await take(message, decoded);
  }
  await write();
  await askForDays(queries, differing, known, outcome);
  await quarantine.tidy();
  return outcome;
}

/**
 * Whether a hub is the restaurant's, or was when it sent what is applied only now: with its key gone it can send no more, so
 * that this lay in the stream before.
 */
function isHubOf({ hubId, standing }: KnownRestaurant, sender: string): boolean {
  const isCut = hubId === null && standing.hubId === "";
  return isCut || sender === hubId || sender === standing.hubId;
}

/** Everything of restaurants is to come once more of which a day differs. */
async function askForDays(
  queries: Queries,
  differing: readonly string[],
  known: ReadonlyMap<string, KnownRestaurant>,
  { standings, resend }: Outcome,
): Promise<void> {
  for (const restaurant of differing) {
    const found = known.get(restaurant);
    if (found === undefined) continue;
    await wantFull(queries, restaurant);
    standings.set(restaurant, { ...found.standing, isFullWanted: true });
    resend.add(restaurant);
  }
}

/** What is missing after a batch: what could not be read of its full transfer, and what was never sent. */
function holesOf(
  before: Standing,
  { epoch, seq }: Standing,
  { hole, notSent }: { hole: Hole | undefined; notSent: HoleCause | null },
): (Hole & { cause: HoleCause })[] {
  const holes: (Hole & { cause: HoleCause })[] = [];
  if (hole !== undefined) holes.push({ ...hole, cause: { kind: "unreadable_transfer" } });
  if (notSent !== null) holes.push({ epoch, from: Math.min(before.seq, seq), to: seq, cause: notSent });
  return holes;
}

/** A full transfer has come with all its parts, and leaves out what was closed before `since`. */
function fillHoles(collected: Collected, restaurant: string, since: number): void {
  collected.filled.set(restaurant, Math.min(since, collected.filled.get(restaurant) ?? Infinity));
  collected.holes = collected.holes.filter(
    (hole) => hole.restaurant_id !== restaurant || (hole.copyOf !== null && hole.copyOf < since),
  );
}

/** What a full transfer lacks that begins after the copy which it replaces; null where nothing lies between. */
function goneBetween(copyOf: number | null, since: number | null, zone: string): HoleCause | null {
  const clock = clockOfZone(zone);
  if (copyOf === null || since === null || since <= copyOf || clock === null) return null;
  return { kind: "not_sent", from: clock.day(copyOf), to: clock.day(since) };
}

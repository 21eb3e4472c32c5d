import type { Queries } from "../db/database.ts";
import { collectBatch, type Collected, collectNothing } from "./collected.ts";
import { badBatch, type BatchMessage, type Decoded } from "./decode-batch.ts";
import { instantOf } from "@comanda/protocol/chain.ts";
import type { HoleCause } from "@comanda/protocol/headquarters.ts";
import { compareDigests } from "./digests.ts";
import { clockOfZone } from "./instants.ts";
import { type Hole, assessBatch, skipBatch, type Standing } from "./assess-batch.ts";
import { MAX_BAD_ATTEMPTS, createQuarantine } from "./quarantine.ts";
import { type IngestState, lockStandings, requestFull } from "./standings.ts";
import { writeCollected } from "./write-collected.ts";

export interface Received {
  message: BatchMessage;
  decoded: Decoded;
}

/** What to announce to restaurants after the commit. */
export type Outcome = ReturnType<typeof noOutcome>;

function noOutcome() {
  return {
    /** The new standing of each restaurant that sent a message. */
    standings: new Map<string, Standing>(),
    /** The restaurants that have to send again from their standing. */
    resend: new Set<string>(),
    /** The generation that supersedes the sender, by restaurant. */
    superseded: new Map<string, number>(),
    counts: { applied: 0, duplicates: 0, gaps: 0, bad: 0, superseded: 0, holes: 0 },
  };
}

/**
 * Applies messages in their order, in the caller's transaction. A message affects only the restaurant of its subject. Throws
 * what the database throws.
 */
export async function applyMessages(
  queries: Queries,
  received: readonly Received[],
  { now: at, checkDays }: { now: number; checkDays: number },
): Promise<Outcome> {
  const now = new Date(at);
  const restaurants = [...new Set(received.flatMap(({ decoded: { restaurant } }) => restaurant ?? []))];
  const states = await lockStandings(queries, restaurants);
  let collected = collectNothing();
  const quarantine = createQuarantine(queries, now);
  const outcome = noOutcome();
  const differing: string[] = [];

  async function setAside(message: BatchMessage, bad: Extract<Decoded, { kind: "bad" }>): Promise<void> {
    outcome.counts.bad += 1;
    const { restaurant, place, range, reason } = bad;
    const times = await quarantine.add(message, bad);
    const found = restaurant === null ? undefined : states.get(restaurant);
    if (restaurant === null || found === undefined) return;
    outcome.standings.set(restaurant, found.standing);
    const passed = times >= MAX_BAD_ATTEMPTS && range !== "" && !bad.isTooNew ? skipBatch(found.standing, place) : null;
    if (passed === null) return void outcome.resend.add(restaurant);
    await quarantine.forgive(restaurant, range);
    setStanding(restaurant, found, passed.next);
    if (passed.hole === null) return;
    outcome.counts.holes += 1;
    const cause: HoleCause = { kind: "unreadable", error: reason };
    collected.holes.push({ restaurant_id: restaurant, ...passed.hole, cause, copyOf: found.copyOf });
  }

  function setStanding(restaurant: string, found: IngestState, standing: Standing): void {
    found.standing = standing;
    collected.standings.set(restaurant, { standing, copyOf: found.copyOf });
    outcome.standings.set(restaurant, standing);
  }

  async function applyBatch(message: BatchMessage, decoded: Extract<Decoded, { kind: "batch" }>): Promise<void> {
    const { restaurant, batch, range } = decoded;
    const refuse = (reason: string) => {
      outcome.counts.bad += 1;
      return quarantine.add(message, { restaurant, reason, range });
    };
    const found = states.get(restaurant);
    if (found === undefined) return void (await refuse("there is no such restaurant"));
    outcome.standings.set(restaurant, found.standing);
    if (!isHubOf(found, batch.hubId))
      return void (await refuse(`hubId: ${batch.hubId} is not the hub that was enrolled`));
    const verdict = assessBatch(found.standing, batch);
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
        // Write first what was collected: a new transfer is compared with the checks stored before it, and a day's digest with
        // the checks at that point of the stream.
        if (verdict.fullId > found.standing.fullId || hasDigest(restaurant)) await write();
        try {
          apply(found, decoded, verdict);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          await setAside(message, badBatch(decoded, error.message));
        }
    }
  }

  function apply(
    found: IngestState,
    { restaurant, batch }: Extract<Decoded, { kind: "batch" }>,
    { next, objectsAbove, fullId, hole, ends, losesUpTo }: Extract<ReturnType<typeof assessBatch>, { kind: "apply" }>,
  ): void {
    const { factId, hubId } = found.standing;
    collectBatch(collected, batch, { above: objectsAbove, factId, fullId, now: at });
    if (losesUpTo !== undefined) collected.forked.set(restaurant, losesUpTo);
    if (ends?.isWhole === true) {
      const since = instantOf(batch.since) ?? 0;
      const isOwn = hubId === batch.hubId;
      const isRestored = isOwn && losesUpTo !== undefined;
      collected.ended.set(restaurant, { hubId: batch.hubId, fullId, since, isRestored });
      // Another hub's transfer lacks what the former hub had, so it fills no holes.
      if (isOwn) fillHoles(collected, restaurant, since);
    }
    const cause = ends === undefined ? null : missingDays(found.copyOf, instantOf(batch.since), batch.clock.zone);
    const holes = holesOf(found.standing, next, { hole, notSent: cause });
    outcome.counts.holes += holes.length;
    collected.holes.push(...holes.map((each) => ({ restaurant_id: restaurant, ...each, copyOf: found.copyOf })));
    // While more is to come, the copy keeps its earlier time.
    const isComplete = next.isFullDone && next.transfer === null && batch.more !== true;
    if (isComplete) found.copyOf = instantOf(batch.at) ?? found.copyOf;
    setStanding(restaurant, found, next);
    outcome.counts.applied += 1;
    outcome.resend.delete(restaurant);
  }

  async function write(): Promise<void> {
    await writeCollected(queries, collected, { now, checkDays });
    differing.push(...(await compareDigests(queries, collected, now)));
    collected = collectNothing();
  }

  const hasDigest = (restaurant: string): boolean =>
    collected.digests.some(({ restaurant_id }) => restaurant_id === restaurant);

  for (const { message, decoded } of received) {
    if (decoded.kind === "bad") await setAside(message, decoded);
    else await applyBatch(message, decoded);
  }
  await write();
  await requestFullTransfers(queries, differing, states, outcome);
  await quarantine.tidy();
  return outcome;
}

/**
 * Returns whether a hub is the restaurant's, or was when it sent this batch. A revoked hub can no longer send, so its batch was
 * in the stream before that.
 */
function isHubOf({ hubId, standing }: IngestState, sender: string): boolean {
  const isCut = hubId === null && standing.hubId === "";
  return isCut || sender === hubId || sender === standing.hubId;
}

/** Requests a full transfer from each restaurant with a differing day. */
async function requestFullTransfers(
  queries: Queries,
  differing: readonly string[],
  states: ReadonlyMap<string, IngestState>,
  { standings, resend }: Outcome,
): Promise<void> {
  for (const restaurant of differing) {
    const found = states.get(restaurant);
    if (found === undefined) continue;
    await requestFull(queries, restaurant);
    standings.set(restaurant, { ...found.standing, isFullWanted: true });
    resend.add(restaurant);
  }
}

/** Returns what is missing after a batch: unreadable parts of its full transfer, and what was never sent. */
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

/** Drops the holes that a complete full transfer fills. It leaves out checks closed before `since` (ms since 1970). */
function fillHoles(collected: Collected, restaurant: string, since: number): void {
  collected.filled.set(restaurant, Math.min(since, collected.filled.get(restaurant) ?? Infinity));
  collected.holes = collected.holes.filter(
    (hole) => hole.restaurant_id !== restaurant || (hole.copyOf !== null && hole.copyOf < since),
  );
}

/** Returns the days that a full transfer lacks because it begins after the copy that it replaces; null if there are none. */
function missingDays(copyOf: number | null, since: number | null, zone: string): HoleCause | null {
  const clock = clockOfZone(zone);
  if (copyOf === null || since === null || since <= copyOf || clock === null) return null;
  return { kind: "not_sent", from: clock.day(copyOf), to: clock.day(since) };
}

import { type ChainDigest, MAX_BATCH_OBJECTS, type SentPlace } from "@comanda/protocol/chain.ts";
import { isoTime, type World } from "../../platform/world.ts";
import { type BatchHead, packBatch, type PackedBatch, presentObjects } from "./batch.ts";
import type { ChainHead, ChainIdentity, ChainSource } from "../source/chain-source.ts";

const FACTS_PER_BATCH = 50;

/** The publisher's position, where the next batch begins. */
export type Position =
  | { kind: "live"; epoch: string; seq: number; factId: number }
  /** `next`: highest `seq` still to be sent. */
  | {
      kind: "full";
      epoch: string;
      cut: number;
      /** Checks closed before this time (ms since 1970) are not sent. */
      since: number;
      heads: ChainHead[];
      of: number;
      next: number;
      factId: number;
    };

export interface NextBatch {
  packed: PackedBatch;
  after: Position;
  /** Null for a part of a full transfer. */
  place: SentPlace | null;
  /** Time up to which everything is sent with this batch, ms since 1970; null if more follows. */
  until: number | null;
}

/** What batches are made from. */
export interface Reading {
  world: World;
  source: ChainSource;
  restaurantId: string;
}

/** The hub's identity when read, and the batch; null if there is nothing to send or the hub's epoch changed. */
interface Next {
  identity: ChainIdentity;
  batch: NextBatch | null;
}

/** Returns the next batch from the publisher's position. */
export function nextBatch(reading: Reading, from: Position): Promise<Next> {
  return from.kind === "live" ? nextChanges(reading, from) : nextOfFull(reading, from);
}

/** Builds a batch of the changes that fit in one message; null if there are none. */
async function nextChanges(reading: Reading, from: Position & { kind: "live" }): Promise<Next> {
  const { world, source } = reading;
  const { identity, cut } = await source.atRest(() => {
    const identity = source.identity();
    if (identity.epoch !== from.epoch) return { identity, cut: null };
    const heads = source.listChangedAfter(from.seq, MAX_BATCH_OBJECTS);
    const facts = source.listFactsAfter(from.factId, FACTS_PER_BATCH + 1);
    const newest = source.newestSeq();
    return { identity, cut: { head: headOf(reading, identity), facts, heads, objects: source.read(heads), newest } };
  });
  if (cut === null || (cut.heads.length === 0 && cut.facts.length === 0)) return { identity, batch: null };
  const { head, heads, objects, newest } = cut;
  const facts = cut.facts.slice(0, FACTS_PER_BATCH);
  const isMoreFacts = cut.facts.length > facts.length;
  const end = heads.at(-1)?.seq ?? from.seq;
  const entries = await presentObjects(world, objects);
  const packed = await packBatch({ ...head, factsAfter: from.factId, facts }, entries, "first", (included, isAll) => {
    const to = isAll ? end : (included.at(-1)?.seq ?? end);
    return { from: from.seq, to, ...((to < newest || isMoreFacts) && { more: true }) };
  });
  const place = { epoch: from.epoch, seq: packed.to, factId: facts.at(-1)?.id ?? from.factId };
  return { identity, batch: { packed, after: { kind: "live", ...place }, place, until: untilOf(packed, head) } };
}

/** Builds a batch with a day's digest alone; null if anything changed after it was read at `seq` or waits to be sent. */
export async function nextDigest(
  reading: Reading,
  from: Position & { kind: "live" },
  { seq, digest }: { seq: number; digest: ChainDigest },
): Promise<NextBatch | null> {
  const { source } = reading;
  const head = await source.atRest(() => {
    const identity = source.identity();
    const isSame = identity.epoch === from.epoch && source.newestSeq() === seq && seq <= from.seq;
    return isSame ? headOf(reading, identity) : null;
  });
  if (head === null) return null;
  const range = { from: from.seq, to: from.seq, digest };
  const packed = await packBatch({ ...head, factsAfter: from.factId, facts: [] }, [], "first", () => range);
  const place = { epoch: from.epoch, seq: from.seq, factId: from.factId };
  return { packed, after: from, place, until: untilOf(packed, head) };
}

/** Builds a batch of the newest objects that a full transfer has not sent yet. */
async function nextOfFull(reading: Reading, from: Position & { kind: "full" }): Promise<Next> {
  const { world, source } = reading;
  const { epoch, cut, next, factId } = from;
  while ((from.heads.at(-1)?.seq ?? 0) > next) from.heads.pop();
  const heads = from.heads.slice(-MAX_BATCH_OBJECTS);
  const before = from.heads.at(-heads.length - 1)?.seq ?? 0;
  const { identity, read } = await source.atRest(() => {
    const identity = source.identity();
    const isSame = identity.epoch === epoch;
    const isMore = source.newestSeq() > cut || source.listFactsAfter(factId, 1).length > 0;
    return { identity, read: isSame ? { head: headOf(reading, identity), objects: source.read(heads), isMore } : null };
  });
  if (read === null) return { identity, batch: null };
  const { head, objects, isMore } = read;
  const entries = await presentObjects(world, objects);
  const packed = await packBatch(
    { ...head, factsAfter: factId, facts: [], cut, since: isoTime(from.since) },
    entries,
    "last",
    (included, isAll) => {
      const begin = isAll || included.length === 0 ? before : (entries.at(-included.length - 1)?.seq ?? before);
      const isEnd = begin === 0;
      return { from: begin, to: next, full: isEnd ? "end" : "part", ...(isEnd && isMore && { more: true }) };
    },
  );
  if (packed.full === "part") {
    return { identity, batch: { packed, after: { ...from, next: packed.from }, place: null, until: null } };
  }
  const place = { epoch, seq: cut, factId };
  return { identity, batch: { packed, after: { kind: "live", ...place }, place, until: untilOf(packed, head) } };
}

function untilOf({ more }: PackedBatch, { at }: Pick<BatchHead, "at">): number | null {
  return more === true ? null : Date.parse(at);
}

function headOf(
  { world, source, restaurantId }: Reading,
  { hubId, generation, epoch, formerEpochs }: ChainIdentity,
): Omit<BatchHead, "facts" | "factsAfter"> {
  const at = isoTime(world.clock.now());
  return { r: restaurantId, hubId, generation, epoch, formerEpochs, at, ...source.envelope() };
}

import type { Synchronous } from "../../changes/change-log.ts";
import type { ChainBatch, ChainFact, ChainPlace } from "@comanda/protocol/chain.ts";

/** What a batch carries, by the field that it stands in. */
export type ChainKind = "orders" | "removed" | "tables" | "items";

/** Where an object's newest state stands in the hub's history. */
export interface ChainHead {
  kind: ChainKind;
  seq: number;
  key: string | number;
}

/** An object as it was in the moment of a cut. */
export interface ChainObject {
  kind: ChainKind;
  seq: number;
  /** Its entry of a batch as JSON; null where it cannot be shown. */
  present: () => string | null;
  /** What stands for an entry of `bytes` bytes that no message can hold. */
  presentSmall: (bytes: number) => string;
}

export interface ChainIdentity {
  hubId: string;
  generation: number;
  epoch: string;
  /** Those before, each with the last change that it surely had: 0 where its end was lost. */
  formerEpochs: ChainPlace[];
  /** The hub's counter: some of what it counts is no business of headquarters. */
  seq: number;
  /** Below it there are changes that the hub does not have any more. */
  lowWater: number;
}

/**
 * What a publisher reads: a hub's data file, or a recorded evening. Its methods answer at once, and all that are called in
 * one turn of `atRest` see the same moment.
 */
export interface ChainSource {
  /** Runs `work` in a moment in which everything that can be read is durable. */
  atRest<T>(work: () => Synchronous<T>): Promise<T>;
  identity(): ChainIdentity;
  /** What the envelope of a batch says of the hub beside its identity. */
  envelope(): Pick<ChainBatch, "clock" | "hub" | "pricing">;
  /** The newest change that headquarters are to have. */
  newestSeq(): number;
  /** What changed after `seq`, oldest first. */
  changedAfter(seq: number, most: number): ChainHead[];
  /** Everything that is open, and what was closed since a time (ms since 1970), oldest change first. */
  everything(since: number): ChainHead[];
  /** The present state of objects, without those that have changed since their head was read. */
  read(heads: readonly ChainHead[]): ChainObject[];
  /** Oldest first. */
  factsAfter(id: number, most: number): ChainFact[];
  /** The id of the newest fact that there ever was. */
  lastFactId(): number;
}

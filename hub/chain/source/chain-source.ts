import type { Synchronous } from "../../changes/change-log.ts";
import type { ChainBatch, ChainFact, ChainPlace } from "@comanda/protocol/chain.ts";
import type { LastSeen } from "../../db/last-seen.ts";

/** Kinds of objects in a batch, each the name of its field there. */
export type ChainKind = "orders" | "removed" | "tables" | "items";

/** Position of an object's newest state in the hub's history. */
export interface ChainHead {
  kind: ChainKind;
  seq: number;
  key: string | number;
}

/** An object as it was when it was read. */
export interface ChainObject {
  kind: ChainKind;
  seq: number;
  /** Returns its JSON entry in a batch, or null if it cannot be shown. */
  present: () => string | null;
  /** Returns a short entry that replaces one of `bytes` bytes, too large for a message. */
  presentSmall: (bytes: number) => string;
}

/** A hub's history. Some of the changes that `seq` counts are not sent to headquarters. */
export interface ChainIdentity extends LastSeen {
  /** Earlier epochs, each with its last known change; 0 if its end was lost. */
  formerEpochs: ChainPlace[];
  /** Below this `seq`, some changes have been deleted. */
  lowWater: number;
}

/**
 * What a publisher reads: a hub's data file, or a recorded evening. Its methods are synchronous. All calls within one `atRest`
 * see the same state.
 */
export interface ChainSource {
  /** Runs `work` when everything readable is durable. */
  atRest<T>(work: () => Synchronous<T>): Promise<T>;
  identity(): ChainIdentity;
  /** Returns the header fields of a batch beside the identity. */
  envelope(): Pick<ChainBatch, "clock" | "hub" | "pricing">;
  /** Returns the newest change that headquarters receive. */
  newestSeq(): number;
  /** Returns the changes after `seq`, oldest first. */
  listChangedAfter(seq: number, limit: number): ChainHead[];
  /** Returns everything open, and what was closed since a time (ms since 1970), oldest change first. */
  listAll(since: number): ChainHead[];
  /** Returns the current state of objects, without those changed since their head was read. */
  read(heads: readonly ChainHead[]): ChainObject[];
  /** Oldest first. */
  listFactsAfter(id: number, limit: number): ChainFact[];
  /** Returns the highest fact id ever assigned. */
  lastFactId(): number;
}

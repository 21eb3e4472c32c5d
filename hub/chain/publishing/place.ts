import type { ChainCursor, ChainPlace, SentPlace } from "@comanda/protocol/chain.ts";
import type { ChainIdentity } from "../source/chain-source.ts";

/** From where a publisher goes on. */
export type StartPlace =
  | { go: "on"; seq: number; factId: number }
  | { go: "full"; factId: number }
  | { go: "superseded" };

/** Whether what changed after a place is all here: it lies in the present history, and nothing after it was removed since. */
function isCovered(place: ChainPlace, { epoch, formerEpochs, seq, lowWater }: ChainIdentity): boolean {
  if (place.seq < lowWater || place.seq > seq) return false;
  if (place.epoch === epoch) return true;
  const former = formerEpochs.find((each) => each.epoch === place.epoch);
  return former !== undefined && place.seq <= former.seq;
}

/**
 * Where to go on: at headquarters' cursor, or at the last batch that the stream holds if that is farther. `cursor` is null
 * where nobody answers for headquarters: the stream keeps what they read later.
 */
export function startPlace(
  identity: ChainIdentity,
  lastFactId: number,
  cursor: ChainCursor | null,
  sent: SentPlace | null,
): StartPlace | null {
  const inStream = sent !== null && isCovered(sent, identity) ? sent : null;
  if (cursor === null) return inStream === null ? null : { go: "on", seq: inStream.seq, factId: inStream.factId };
  if (cursor.generation > identity.generation) return { go: "superseded" };
  // Facts that a restore took away are headquarters' alone; new ones have higher ids.
  const factId = cursor.factId <= lastFactId ? cursor.factId : 0;
  if (!cursor.isFullDone || cursor.generation < identity.generation || !isCovered(cursor, identity)) {
    return { go: "full", factId };
  }
  return {
    go: "on",
    seq: Math.max(cursor.seq, inStream?.seq ?? 0),
    factId: Math.max(factId, inStream?.factId ?? 0),
  };
}

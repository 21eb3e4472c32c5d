import type { ChainCursor, ChainPlace, SentPlace } from "@comanda/protocol/chain.ts";
import type { ChainIdentity } from "../source/chain-source.ts";

/** Where a publisher resumes. */
export type StartPlace =
  | { go: "on"; seq: number; factId: number }
  | { go: "full"; factId: number }
  | { go: "superseded" };

/** Whether the hub has every change after `place`: it is part of the current history and nothing after it was deleted. */
function isCovered(place: ChainPlace, { epoch, formerEpochs, seq, lowWater }: ChainIdentity): boolean {
  if (place.seq < lowWater || place.seq > seq) return false;
  if (place.epoch === epoch) return true;
  const former = formerEpochs.find((each) => each.epoch === place.epoch);
  return former !== undefined && place.seq <= former.seq;
}

/**
 * Returns where to resume: at headquarters' cursor, or at the stream's last batch if that is further. Returns null if neither
 * exists. `cursor` is null if headquarters do not answer: they read the stream later.
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
  // Facts removed by a restore exist only at headquarters. New facts have higher ids.
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

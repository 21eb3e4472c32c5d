import type { ChainBatch, ChainCursor, SentPlace } from "@comanda/protocol/chain.ts";

/** How far a restaurant is here, and the full transfer that is under way. */
export interface Standing extends ChainCursor {
  hubId: string;
  /** Counts its transfers: rows that bear a lower one are gone when the next has ended. */
  fullId: number;
  transfer: Transfer | null;
  /** Everything is to come once more: something of it is otherwise here. */
  isFullWanted: boolean;
  /** The newest business days that are otherwise here than the restaurant said. */
  differing: string[];
}

/** A full transfer that is under way. */
export interface Transfer {
  /** Whose history it brings. */
  hubId: string;
  generation: number;
  epoch: string;
  cut: number;
  /** Where its next part has to end. */
  from: number;
  /** A part could not be read again and again: the next one may lie farther away. */
  isTorn: boolean;
  /** It lacks a part, so that what is not in it may be there all the same. */
  hasHole: boolean;
  /** The highest `fullId` of what was here before it, also where that history was cut off and began again. */
  over: number;
}

export const nothingYet: Standing = {
  hubId: "",
  generation: 0,
  epoch: "",
  seq: 0,
  factId: 0,
  isFullDone: false,
  fullId: 0,
  transfer: null,
  isFullWanted: false,
  differing: [],
};

/**
 * What becomes of a batch. `objectsAbove`: objects with a higher `seq` are new, those with it or less are here already.
 * `gap`: something before it is missing, and the hub is to send again from where headquarters are. `rival`: two hubs claim the
 * restaurant.
 */
export type Verdict =
  | {
      kind: "apply";
      next: Standing;
      objectsAbove: number;
      fullId: number;
      hole?: Hole | undefined;
      ends?: { isWhole: boolean };
      /** The restaurant does not have all any more that is here of it, with a `fullId` up to this. */
      losesUpTo?: number | undefined;
    }
  | { kind: "duplicate" }
  | { kind: "gap" }
  | { kind: "superseded"; by: number }
  | { kind: "rival"; reason: string };

/** What headquarters do not have, and will not get by themselves. */
export interface Hole {
  epoch: string;
  from: number;
  to: number;
}

/** Judges a batch by where the restaurant stands. Reads and changes nothing: what is decided here is all that is believed. */
export function judge(standing: Standing, batch: ChainBatch): Verdict {
  const isOtherHub = standing.hubId !== "" && standing.hubId !== batch.hubId;
  const newer = [standing, standing.transfer].find(
    (each) => each?.hubId === batch.hubId && batch.generation < each.generation,
  );
  if (newer) return { kind: "superseded", by: newer.generation };
  return batch.full === undefined ? judgeChanges(standing, batch, isOtherHub) : judgeFull(standing, batch, isOtherHub);
}

function judgeChanges(standing: Standing, batch: ChainBatch, isOtherHub: boolean): Verdict {
  const { epoch, from, to, factsAfter, facts } = batch;
  if (standing.transfer !== null && !isOf(standing.transfer, batch)) return { kind: "gap" };
  if (isOtherHub || !standing.isFullDone || batch.generation > standing.generation) return { kind: "gap" };
  const isNewEpoch = epoch !== standing.epoch;
  if (isNewEpoch) {
    const former = batch.formerEpochs.find((each) => each.epoch === standing.epoch);
    if (former === undefined) return twoHubs(batch);
    // Headquarters have seen what the restaurant lost: all of it has to come again.
    if (standing.seq > former.seq) return { kind: "gap" };
  }
  if (from > standing.seq || factsAfter > standing.factId) return { kind: "gap" };
  const factId = Math.max(standing.factId, facts.at(-1)?.id ?? 0);
  // What a day was holds for a moment in which everything is here.
  const isDay = batch.digest !== undefined && to === standing.seq;
  if (!isNewEpoch && to <= standing.seq && factId === standing.factId && !isDay) return { kind: "duplicate" };
  const next = { ...standing, epoch, seq: Math.max(standing.seq, to), factId };
  return { kind: "apply", next, objectsAbove: standing.seq, fullId: standing.fullId };
}

/** Whether a transfer brings the history that a batch is of. */
function isOf(transfer: Transfer, batch: ChainBatch): boolean {
  return transfer.hubId === batch.hubId && transfer.generation === batch.generation;
}

function judgeFull(standing: Standing, batch: ChainBatch, isOtherHub: boolean): Verdict {
  const { epoch, generation, hubId, from, to, cut = to } = batch;
  const former = batch.formerEpochs.find((each) => each.epoch === standing.epoch);
  const isOwnHistory = isOtherHub || epoch === standing.epoch || former !== undefined;
  if (standing.hubId !== "" && generation === standing.generation && !isOwnHistory) return twoHubs(batch);
  const { transfer } = standing;
  const isSame = transfer !== null && transfer.epoch === epoch && transfer.cut === cut;
  // The one that is done already, sent once more.
  const isOver = standing.isFullDone && !isOtherHub && epoch === standing.epoch && cut < standing.seq;
  if (!isSame && isOver) return { kind: "duplicate" };
  const expected = isSame ? transfer.from : cut;
  // One that is begun again may have other parts than before: what reaches beyond is no duplicate.
  if (to > expected && from >= expected) return { kind: "duplicate" };
  if (to < expected && transfer?.isTorn !== true) return { kind: "gap" };

  const fullId = isSame ? standing.fullId : standing.fullId + 1;
  const hole = to < expected ? { epoch, from: to, to: expected } : undefined;
  const hasHole = hole !== undefined || (isSame && transfer.hasHole);
  const isCovered = epoch === standing.epoch || (former !== undefined && standing.seq <= former.seq);
  const losesHistory = standing.hubId !== "" && (isOtherHub || generation > standing.generation || !isCovered);
  const over = transfer !== null && isOf(transfer, batch) ? transfer.over : standing.fullId;
  const losesUpTo = losesHistory ? over : undefined;
  if (batch.full === "part") {
    const begun = { hubId, generation, epoch, cut, from, isTorn: false, hasHole, over };
    const next = { ...standing, fullId, transfer: begun, isFullWanted: false };
    return { kind: "apply", next, objectsAbove: -1, fullId, hole, losesUpTo };
  }
  const factId = isOtherHub ? 0 : standing.factId;
  const done = { isFullDone: true, fullId, transfer: null, isFullWanted: false };
  const next = { ...standing, hubId, generation, epoch, seq: cut, factId, ...done };
  return { kind: "apply", next, objectsAbove: -1, fullId, hole, losesUpTo, ends: { isWhole: !hasHole } };
}

function twoHubs({ epoch }: ChainBatch): Verdict {
  return { kind: "rival", reason: `two histories of one generation: ${epoch}` };
}

/**
 * Where a restaurant stands when a batch that could not be read is passed over, and what it lacks then; null where that would
 * not help, because what follows cannot be applied either. `place`: where the batch would have led; null for a part of a full
 * transfer.
 */
export function passOver(standing: Standing, place: SentPlace | null): { next: Standing; hole: Hole | null } | null {
  const { transfer } = standing;
  if (place === null) {
    const { hubId, generation, fullId: over } = standing;
    const begun = transfer ?? { hubId, generation, epoch: "", cut: 0, from: 0, hasHole: false, over };
    return { next: { ...standing, transfer: { ...begun, isTorn: true } }, hole: null };
  }
  const { epoch, seq } = place;
  if (transfer !== null && transfer.epoch === epoch && transfer.cut === seq) {
    const { hubId, generation } = transfer;
    const factId = hubId === standing.hubId ? standing.factId : 0;
    const next = { ...standing, hubId, generation, epoch, seq, factId, isFullDone: true, transfer: null };
    return { next, hole: { epoch, from: 0, to: transfer.from } };
  }
  if (!standing.isFullDone || standing.epoch !== epoch || seq < standing.seq) return null;
  const next = { ...standing, seq, factId: Math.max(standing.factId, place.factId) };
  return { next, hole: { epoch, from: standing.seq, to: seq } };
}

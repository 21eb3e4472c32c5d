import type { ChainBatch, ChainCursor, SentPlace } from "@comanda/protocol/chain.ts";

/** How far a restaurant's data has arrived here, with its current full transfer. */
export interface Standing extends ChainCursor {
  hubId: string;
  /** Counts the restaurant's full transfers. When one has ended, rows with a lower id are gone. */
  fullId: number;
  transfer: Transfer | null;
  /** A full transfer is wanted, because something here differs from the restaurant. */
  isFullWanted: boolean;
  /** The newest business days that differ here from what the restaurant reported. */
  differing: string[];
}

/** A full transfer that is under way. */
export interface Transfer {
  /** The hub whose history it brings. */
  hubId: string;
  generation: number;
  epoch: string;
  cut: number;
  /** The `seq` at which its next part has to end. */
  from: number;
  /** A part stayed unreadable, so the next part may leave a gap. */
  isTorn: boolean;
  /** A part is missing: the restaurant may have checks that are not in the transfer. */
  hasHole: boolean;
  /** The highest `fullId` from before the transfer. It stays the same when the transfer is restarted. */
  over: number;
}

export const initialStanding: Standing = {
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
 * What to do with a batch. `objectsAbove`: objects with a higher `seq` are new, all others are here already. `gap`: something
 * before the batch is missing, and the hub has to send again from the cursor. `rival`: two hubs claim to be the restaurant.
 */
export type Verdict =
  | {
      kind: "apply";
      next: Standing;
      objectsAbove: number;
      fullId: number;
      hole?: Hole | undefined;
      ends?: { isWhole: boolean };
      /** The restaurant may have lost what is here with a `fullId` up to this. */
      losesUpTo?: number | undefined;
    }
  | { kind: "duplicate" }
  | { kind: "gap" }
  | { kind: "superseded"; by: number }
  | { kind: "rival"; reason: string };

/** A range that headquarters lack and that the hub will not send by itself. */
export interface Hole {
  epoch: string;
  from: number;
  to: number;
}

/** Decides what to do with a batch, given the restaurant's standing. A pure function. */
export function assessBatch(standing: Standing, batch: ChainBatch): Verdict {
  const isOtherHub = standing.hubId !== "" && standing.hubId !== batch.hubId;
  const newer = [standing, standing.transfer].find(
    (each) => each?.hubId === batch.hubId && batch.generation < each.generation,
  );
  if (newer) return { kind: "superseded", by: newer.generation };
  return batch.full === undefined
    ? assessChanges(standing, batch, isOtherHub)
    : assessFull(standing, batch, isOtherHub);
}

function assessChanges(standing: Standing, batch: ChainBatch, isOtherHub: boolean): Verdict {
  const { epoch, from, to, factsAfter, facts } = batch;
  if (standing.transfer !== null && !belongsTo(standing.transfer, batch)) return { kind: "gap" };
  if (isOtherHub || !standing.isFullDone || batch.generation > standing.generation) return { kind: "gap" };
  const isNewEpoch = epoch !== standing.epoch;
  if (isNewEpoch) {
    const former = batch.formerEpochs.find((each) => each.epoch === standing.epoch);
    if (former === undefined) return rivalVerdict(batch);
    // Headquarters have changes that the restaurant lost: everything has to be sent again.
    if (standing.seq > former.seq) return { kind: "gap" };
  }
  if (from > standing.seq || factsAfter > standing.factId) return { kind: "gap" };
  const factId = Math.max(standing.factId, facts.at(-1)?.id ?? 0);
  // A day's digest can be compared only when everything before it is here.
  const isDay = batch.digest !== undefined && to === standing.seq;
  if (!isNewEpoch && to <= standing.seq && factId === standing.factId && !isDay) return { kind: "duplicate" };
  const next = { ...standing, epoch, seq: Math.max(standing.seq, to), factId };
  return { kind: "apply", next, objectsAbove: standing.seq, fullId: standing.fullId };
}

/** Returns whether a batch belongs to the history that a transfer brings. */
function belongsTo(transfer: Transfer, batch: ChainBatch): boolean {
  return transfer.hubId === batch.hubId && transfer.generation === batch.generation;
}

function assessFull(standing: Standing, batch: ChainBatch, isOtherHub: boolean): Verdict {
  const { epoch, generation, hubId, from, to, cut = to } = batch;
  const former = batch.formerEpochs.find((each) => each.epoch === standing.epoch);
  const isOwnHistory = isOtherHub || epoch === standing.epoch || former !== undefined;
  if (standing.hubId !== "" && generation === standing.generation && !isOwnHistory) return rivalVerdict(batch);
  const { transfer } = standing;
  const isSame = transfer !== null && transfer.epoch === epoch && transfer.cut === cut;
  // A transfer that is already done was sent again.
  const isOver = standing.isFullDone && !isOtherHub && epoch === standing.epoch && cut < standing.seq;
  if (!isSame && isOver) return { kind: "duplicate" };
  const expected = isSame ? transfer.from : cut;
  // A restarted transfer may have other parts than before: a part that reaches below `expected` is no duplicate.
  if (to > expected && from >= expected) return { kind: "duplicate" };
  if (to < expected && transfer?.isTorn !== true) return { kind: "gap" };

  const fullId = isSame ? standing.fullId : standing.fullId + 1;
  const hole = to < expected ? { epoch, from: to, to: expected } : undefined;
  const hasHole = hole !== undefined || (isSame && transfer.hasHole);
  const isCovered = epoch === standing.epoch || (former !== undefined && standing.seq <= former.seq);
  const losesHistory = standing.hubId !== "" && (isOtherHub || generation > standing.generation || !isCovered);
  const over = transfer !== null && belongsTo(transfer, batch) ? transfer.over : standing.fullId;
  const losesUpTo = losesHistory ? over : undefined;
  if (batch.full === "part") {
    const nextTransfer = { hubId, generation, epoch, cut, from, isTorn: false, hasHole, over };
    const next = { ...standing, fullId, transfer: nextTransfer, isFullWanted: false };
    return { kind: "apply", next, objectsAbove: -1, fullId, hole, losesUpTo };
  }
  const factId = isOtherHub ? 0 : standing.factId;
  const done = { isFullDone: true, fullId, transfer: null, isFullWanted: false };
  const next = { ...standing, hubId, generation, epoch, seq: cut, factId, ...done };
  return { kind: "apply", next, objectsAbove: -1, fullId, hole, losesUpTo, ends: { isWhole: !hasHole } };
}

function rivalVerdict({ epoch }: ChainBatch): Verdict {
  return { kind: "rival", reason: `two histories of one generation: ${epoch}` };
}

/**
 * Returns a restaurant's standing after an unreadable batch is skipped, and the hole that this leaves. Returns null if skipping
 * does not help, because the next batch could not be applied either. `place`: the position after the batch; null for a part of
 * a full transfer.
 */
export function skipBatch(standing: Standing, place: SentPlace | null): { next: Standing; hole: Hole | null } | null {
  const { transfer } = standing;
  if (place === null) {
    const { hubId, generation, fullId: over } = standing;
    const current = transfer ?? { hubId, generation, epoch: "", cut: 0, from: 0, hasHole: false, over };
    return { next: { ...standing, transfer: { ...current, isTorn: true } }, hole: null };
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

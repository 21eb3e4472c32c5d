import type { Snapshot, StoredLine, TerminalLine } from "@comanda/protocol";
import { kitchenFieldNames } from "@comanda/protocol/line-fields.ts";
import type { RuleContext } from "../context.ts";
import type { ServiceState } from "../state.ts";
import { isoTime, timeOf } from "../time.ts";
import { findDishes, hasOtherProduct, type CheckLines } from "./find-dishes.ts";
import type { ReturnedItem } from "./item-states.ts";
import { type KitchenChanges, kitchenChanges } from "./kitchen-changes.ts";
import { createKitchenDraft, type KitchenDraft } from "./kitchen-draft.ts";
import { withKitchenFields } from "./kitchen-fields.ts";
import { isWithKitchen, quantityNotToMake, quantityToMake } from "./line-quantities.ts";
import { addressOf } from "./make-tickets.ts";
import { placeShares, type KitchenRights, type SentLinesRefusal } from "./place-shares.ts";
import { type Part, setVoid } from "./shares.ts";
import { hasSameInstructions } from "./ticket-instructions.ts";

/** The effect of a content write on the kitchen's tickets. */
export interface KitchenWrite {
  /** Returns why a check may not drop, lower or void what was sent, or null if it may. */
  refusalOf(posReference: string): SentLinesRefusal | null;
  /** Returns the lines of a check with their kitchen fields. */
  lines(posReference: string, requested: readonly StoredLine[]): StoredLine[];
  /** Returns whether shares of a check were moved, voided or taken back. */
  hasMoved(posReference: string): boolean;
  /** The quantities taken back. */
  takenBack: readonly ReturnedItem[];
  /** Returns the changes of tickets after these checks are written. */
  changes(written: readonly Snapshot[]): KitchenChanges;
}

type WriteContext = Pick<RuleContext, "now" | "newId">;

/** Plans the ticket changes that follow from the lines of checks written together. */
export function planKitchenWrite(
  state: Pick<ServiceState, "order" | "ticketsOf">,
  checks: readonly CheckLines[],
  rights: KitchenRights,
  context: WriteContext,
): KitchenWrite {
  const [only, ...others] = checks;
  if (only !== undefined && others.length === 0 && leavesKitchenAlone(only)) return untouched(state, only, context);
  const references = checks.map(({ posReference }) => posReference);
  const draft = createKitchenDraft(state.ticketsOf, references);
  const dishes = findDishes(
    checks,
    (posReference, line) => draft.parts(posReference, line.id)[0]?.line.kitchenLineId ?? line.kitchenLineId,
    context.newId,
  );
  const refusals = placeShares(draft.tickets(), checks, dishes, rights);
  draft.sharesMoved();
  draft.settle(isoTime(context.now));
  // Other words move nothing: such a check is `changed`.
  const moved = draft.checksMoved();
  draft.reword(checks, context.now);
  const dishesOf = new Map(checks.map(({ posReference }, index) => [posReference, dishes[index]]));
  return {
    refusalOf: (posReference) => refusals.get(posReference) ?? null,
    lines: (posReference, requested) =>
      requested.map((line) =>
        withKitchenFields(line, draft.parts(posReference, line.id), dishesOf.get(posReference)?.get(line.id)),
      ),
    hasMoved: (posReference) => moved.has(posReference),
    takenBack: draft.takenBack(),
    changes: (written) => changesOf(state, draft, written, context),
  };
}

/** Returns whether a write of one check leaves sent lines unchanged. Most do, and then no ticket needs to be read. */
function leavesKitchenAlone({ stored, requested }: CheckLines): boolean {
  const before = new Map(stored.map((line) => [line.id, line]));
  const isAlike = (line: TerminalLine): boolean => {
    const was = before.get(line.id);
    if (was === undefined) return line.splitOf === undefined;
    if (was.kitchenLineId === undefined) return true;
    before.delete(line.id);
    if (hasOtherProduct(line, was) || (isWithKitchen(was) && !hasSameInstructions(line, was))) return false;
    return quantityToMake(was) === quantityToMake(line) && quantityNotToMake(was) === quantityNotToMake(line);
  };
  return requested.every(isAlike) && [...before.values()].every((line) => line.kitchenLineId === undefined);
}

/** Leaves the tickets unchanged, except for their addresses. */
function untouched(
  state: Pick<ServiceState, "order" | "ticketsOf">,
  { posReference, stored }: CheckLines,
  context: WriteContext,
): KitchenWrite {
  const before = new Map(stored.map((line) => [line.id, line]));
  const was = state.order(posReference)?.snapshot;
  return {
    refusalOf: () => null,
    lines: (_, requested) => requested.map((line) => carryKitchenFields(line, before.get(line.id))),
    hasMoved: () => false,
    takenBack: [],
    changes: (written) => {
      if (was === undefined || !stored.some(isWithKitchen) || written.every((snapshot) => sameAddress(was, snapshot))) {
        return { checks: [], tickets: [] };
      }
      return changesOf(state, createKitchenDraft(state.ticketsOf, [posReference]), written, context);
    },
  };
}

function carryKitchenFields(line: StoredLine, was: StoredLine | undefined): StoredLine {
  const next: Record<string, unknown> = { ...line };
  for (const field of kitchenFieldNames) {
    if (was?.[field] === undefined) delete next[field];
    else next[field] = was[field];
  }
  return next as StoredLine;
}

function sameAddress(one: Snapshot, other: Snapshot): boolean {
  const address = addressOf(other);
  return Object.entries(addressOf(one)).every(([field, value]) => address[field as keyof typeof address] === value);
}

function changesOf(
  state: Pick<ServiceState, "order">,
  draft: KitchenDraft,
  written: readonly Snapshot[],
  { now }: WriteContext,
): KitchenChanges {
  const snapshots = new Map(written.map((snapshot) => [snapshot.posReference, snapshot]));
  draft.readdress(now, (posReference) => snapshots.get(posReference) ?? state.order(posReference)?.snapshot ?? null);
  return kitchenChanges(state, draft, { now, skip: written.map(({ posReference }) => posReference) });
}

/** Returns what a person may do with sent lines. */
export function rightsOf({
  writer,
  now,
  takeBackMs,
}: Pick<RuleContext, "writer" | "now" | "takeBackMs">): KitchenRights {
  const { terminalId, role } = writer;
  return {
    mayVoid: role !== "waiter",
    mayTakeBack: (part) => canTakeBack(part, { terminalId, now, takeBackMs }),
  };
}

/** Cancels all work of a removed check that is not ready. */
export function cancelWork(
  state: Pick<ServiceState, "order" | "ticketsOf">,
  posReference: string,
  now: number,
): KitchenChanges {
  const draft = createKitchenDraft(state.ticketsOf, [posReference]);
  for (const parts of draft.linesOf(posReference)) {
    for (const { share } of parts) setVoid(share, share.quantity);
  }
  return kitchenChanges(state, draft, { now, skip: [posReference] });
}

/** Returns whether a terminal may still take back a line: it was sent recently, and no station has seen or started it. */
export function canTakeBack(
  { ticket, line }: Pick<Part, "ticket" | "line">,
  { terminalId, now, takeBackMs }: { terminalId: string; now: number; takeBackMs: number },
): boolean {
  return (
    ticket.terminalId === terminalId &&
    // A ticket from the future was sent before the clock was set back.
    Math.abs(now - timeOf(ticket.sentAt)) < takeBackMs &&
    ticket.seen.length === 0 &&
    line.preparedQuantity === 0 &&
    line.kitchenItemStatus === undefined
  );
}

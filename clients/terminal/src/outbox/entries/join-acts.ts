import { isSame } from "@comanda/rules";
import { subjectsOf, type Intent } from "./outbox-entry.ts";

/** Whether the later one may build on what the first said of how far a dish is, whether it was taken, or is made first. */
export function isOfSameDish(first: Intent, later: Intent): boolean {
  if (!isSame(subjectsOf(first), subjectsOf(later))) return false;
  if (first.type === "KITCHEN_SERVED") return true;
  if (first.type === "KITCHEN_PRIORITY") return later.type === first.type;
  return "lineId" in first && "lineId" in later && first.lineId === later.lineId;
}

/**
 * What two acts of the kitchen come to of which the hub has neither: null for one and its undo. What the second saw was what
 * the first had said, and the hub is to compare what it has with what it had told. Undefined: each counts for itself.
 */
export function joinActs(first: Intent, later: Intent): Intent | null | undefined {
  if (later.type === "KITCHEN_SERVED") {
    return later.undo === true && isSame(first, { ...later, undo: undefined }) ? null : undefined;
  }
  if (first.type === "KITCHEN_PRIORITY" && later.type === first.type) {
    return first.priority === later.priority ? later : null;
  }
  if (first.type !== "KITCHEN_BUMP" || later.type !== "KITCHEN_BUMP") return undefined;
  const { shownQuantity, preparedQuantity } = first;
  if (later.shownQuantity !== preparedQuantity) return undefined;
  const isUndo = later.preparedQuantity === shownQuantity && later.kitchenItemStatus === undefined;
  return isUndo ? null : { ...later, shownQuantity };
}

import { isSame } from "@comanda/rules";
import { subjectsOf, type Intent } from "./outbox-entry.ts";

/** Whether `later` may build on `first`: progress, serving or priority of the same dish or ticket. */
export function isOfSameDish(first: Intent, later: Intent): boolean {
  if (!isSame(subjectsOf(first), subjectsOf(later))) return false;
  if (first.type === "KITCHEN_SERVED") return true;
  if (first.type === "KITCHEN_PRIORITY") return later.type === first.type;
  return "lineId" in first && "lineId" in later && first.lineId === later.lineId;
}

/**
 * Joins two kitchen actions that the hub does not have yet. Returns null if the second undoes the first, and undefined if both
 * are to be sent. The second was based on the first, so the joined action keeps what the first was based on.
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

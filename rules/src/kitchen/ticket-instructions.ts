import type { StoredLine, TicketLine } from "@comanda/protocol";
import { modifierNames } from "../checks/modifiers-of.ts";
import { ownName } from "../checks/own-name.ts";
import { isSame } from "../same.ts";
import { type CheckLines, hasOtherProduct } from "./find-dishes.ts";
import { isWithKitchen, quantityNotToMake, quantityToMake } from "./line-quantities.ts";
import { activeQuantity, heldOf, type Part } from "./shares.ts";

/** What a cook reads of a dish. The name is absent if only the menu has it. */
type Instructions = Pick<TicketLine, "modifiers" | "note" | "specialRequest" | "allergy"> & { name?: string };

type Dish = Pick<StoredLine, "note" | "specialRequest" | "allergy"> & Readonly<Record<string, unknown>>;

/** Returns what a cook has to know about the dish of a line. */
export function instructionsOf(line: Dish): Instructions {
  const name = ownName(line);
  const allergy = allergyOf(line);
  return {
    ...(name !== undefined && { name }),
    ...(Array.isArray(line["modifiers"]) && { modifiers: line["modifiers"] }),
    note: line.note ?? null,
    specialRequest: line.specialRequest ?? null,
    ...(allergy !== "" && { allergy }),
  };
}

/** Returns whether a cook reads the same of two dishes, who is not shown what an extra costs. */
export function readsAlike(a: Dish, b: Dish): boolean {
  const [one, other] = [a, b].map((dish) => ({ ...instructionsOf(dish), modifiers: modifierNames(dish["modifiers"]) }));
  return isSame(one, other);
}

/** Returns for whom at the table a dish is, and when. */
export function seatingOf({ seat, course }: Readonly<Record<string, unknown>>): Pick<TicketLine, "seat" | "course"> {
  return { seat: isLabel(seat) ? seat : null, course: isLabel(course) ? course : null };
}

const INSTRUCTION_FIELDS = ["name", "modifiers", "note", "specialRequest", "allergy", "allergies", "seat", "course"];

/** Returns whether a write leaves the instructions of a line as they are. Runs for each sent line of every write, so it makes no copies. */
export function hasSameInstructions(line: Dish, was: Dish): boolean {
  return INSTRUCTION_FIELDS.every((field) => isSame(line[field] ?? null, was[field] ?? null));
}

/**
 * Puts changed instructions of sent lines on their tickets, unless the dish is ready or other lines share it. Other instructions
 * have to be seen again.
 */
export function updateInstructions(
  { posReference, stored, requested }: CheckLines,
  partsOf: (posReference: string, lineId: string) => readonly Pick<Part, "line" | "share">[],
): void {
  const before = new Map(stored.filter(isWithKitchen).map((line) => [line.id, line]));
  for (const line of requested) {
    const was = before.get(line.id);
    if (was === undefined || hasOtherProduct(line, was)) continue;
    // What comes back from a void has the words of before it.
    const isWantedAgain =
      quantityToMake(line) > quantityToMake(was) || quantityNotToMake(line) < quantityNotToMake(was);
    if (hasSameInstructions(line, was) && !isWantedAgain) continue;
    for (const part of partsOf(posReference, line.id)) {
      const { line: dish, share } = part;
      const isShared = dish.shares.some((each) => each !== share && each.takenBack !== true && heldOf(each) > 0);
      if (isShared || share.preparedQuantity >= activeQuantity(share)) continue;
      const former = { ...dish };
      delete dish.modifiers;
      delete dish.allergy;
      Object.assign(dish, seatingOf(line), instructionsOf(line));
      if (!readsAlike(former, dish)) dish.isSeen = false;
    }
  }
}

/** Joins the allergies of a line, including a list in `allergies` as other systems' terminals write it. */
function allergyOf(line: Dish): string {
  const named: unknown[] = [line.allergy, line["allergies"]].flat();
  const texts = named.filter((each) => typeof each === "string" && each.trim() !== "");
  return [...new Set(texts)].join(", ");
}

export function isLabel(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

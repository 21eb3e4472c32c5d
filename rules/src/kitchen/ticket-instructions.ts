import type { StoredLine, TicketLine } from "@comanda/protocol";
import { modifierNames } from "../checks/modifiers-of.ts";
import { ownName } from "../checks/own-name.ts";
import { isSame } from "../same.ts";

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

/** Returns what a cook reads of a dish, who is not shown what an extra costs, as one text to compare. */
export function wordsOf(dish: Dish): string {
  const { name, note, specialRequest, allergy } = instructionsOf(dish);
  return JSON.stringify([name, note, specialRequest, allergy, modifierNames(dish["modifiers"])]);
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

/** Joins the allergies of a line, including a list in `allergies` as other systems' terminals write it. */
function allergyOf(line: Dish): string {
  const named: unknown[] = [line.allergy, line["allergies"]].flat();
  const texts = named.filter((each) => typeof each === "string" && each.trim() !== "");
  return [...new Set(texts)].join(", ");
}

export function isLabel(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

import type { BackOfficeProduct } from "@comanda/protocol";
import type { Choice } from "../../../checks/check-lines.ts";
import { readSaved, save } from "../../../lib/device/saved.ts";
import { choicesLeft, withChoice, type KeptChoices } from "./last-choices.ts";

const KEY = "comanda-terminal-last-choices";

/** How this device asked for a dish before, the last way first. */
export function lastChoicesOf(product: BackOfficeProduct): ReturnType<typeof choicesLeft> {
  return choicesLeft(product, read().find(([id]) => id === String(product.id))?.[1] ?? []);
}

export function rememberChoice(product: BackOfficeProduct, { modifiers = [], note = "" }: Choice): void {
  const chosen = new Set(modifiers.map(({ id }) => String(id)));
  const offered = (product.modifiers ?? []).map(({ id }) => id).filter((id) => chosen.has(String(id)));
  const choice = { modifierIds: offered.toSorted((one, other) => one - other), note };
  save(KEY, withChoice(read(), String(product.id), choice));
}

function read(): KeptChoices {
  return readSaved(KEY, isKept) ?? [];
}

function isKept(value: unknown): value is KeptChoices {
  return Array.isArray(value) && value.every((each) => Array.isArray(each) && isChoices(each[0], each[1]));
}

function isChoices(id: unknown, choices: unknown): boolean {
  return typeof id === "string" && Array.isArray(choices) && choices.every(isChoice);
}

function isChoice(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const ids: unknown = Reflect.get(value, "modifierIds");
  return Array.isArray(ids) && ids.every(Number.isInteger) && typeof Reflect.get(value, "note") === "string";
}

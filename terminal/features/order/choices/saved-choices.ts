import type { BackOfficeProduct } from "@comanda/protocol";
import type { Choice } from "../../../checks/check-lines.ts";
import { savedById } from "../../../lib/device/saved-by-id.ts";
import { availableChoices, withChoice, type LastChoice } from "./last-choices.ts";

const MAX_DISHES = 100;

const saved = savedById("comanda-terminal-last-choices", areChoices, MAX_DISHES);

/** Returns this device's previous choices for a dish, the latest first. */
export function lastChoicesOf(product: BackOfficeProduct): ReturnType<typeof availableChoices> {
  return availableChoices(product, saved.read(String(product.id)) ?? []);
}

/** Remembers a choice on this device. Skips one without modifiers and note: a tap on the tile is as fast. */
export function rememberChoice(product: BackOfficeProduct, { modifiers = [], note = "" }: Choice): void {
  const chosen = new Set(modifiers.map(({ id }) => String(id)));
  const offered = (product.modifiers ?? []).map(({ id }) => id).filter((id) => chosen.has(String(id)));
  if (offered.length === 0 && note === "") return;
  const choice = { modifierIds: offered.toSorted((one, other) => one - other), note };
  const id = String(product.id);
  saved.keep(id, withChoice(saved.read(id) ?? [], choice));
}

function areChoices(value: unknown): value is readonly LastChoice[] {
  return Array.isArray(value) && value.every(isChoice);
}

function isChoice(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const ids: unknown = Reflect.get(value, "modifierIds");
  return Array.isArray(ids) && ids.every(Number.isInteger) && typeof Reflect.get(value, "note") === "string";
}

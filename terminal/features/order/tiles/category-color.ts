import type { BackOfficeCategory } from "@comanda/protocol";

/** Hues of the palette, defined in menu-hues.css; their texts are legible in both themes. */
export const HUES = 8;

/**
 * Returns the hue of a category and its dishes: the one set in the back-office as Odoo's `color` (0 is none), else one derived
 * from its id, so that it stays the same when the menu is reordered.
 */
export function categoryColor(category: BackOfficeCategory): number {
  const chosen = category["color"];
  const base = typeof chosen === "number" && Number.isInteger(chosen) && chosen > 0 ? chosen : category.id;
  return Math.abs(base) % HUES;
}

import type { BackOfficeCategory } from "@comanda/protocol";

/** Hues of the palette in order.css, whose texts are legible in both themes. */
export const HUES = 8;

/**
 * The hue of a category and its dishes: the one that the back-office has chosen, as Odoo's `color`, where 0 is none; else one
 * that follows from its id, so that it stays when the menu is put in another order.
 */
export function categoryColor(category: BackOfficeCategory): number {
  const chosen = category["color"];
  const base = typeof chosen === "number" && Number.isInteger(chosen) && chosen > 0 ? chosen : category.id;
  return Math.abs(base) % HUES;
}

import type { BackOfficeProduct } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { choicesLeft, withChoice, type KeptChoices, type LastChoice } from "./last-choices.ts";

const choice = (modifierIds: number[], note = ""): LastChoice => ({ modifierIds, note });
const steak: BackOfficeProduct = {
  id: 114,
  name: "Churrasco",
  price: 1250,
  categoryId: 2,
  taxIds: [1],
  modifiers: [
    { id: 903, name: "Término medio", price: 0 },
    { id: 904, name: "Bien cocido", price: 0 },
    { id: 905, name: "Chimichurri", price: 45 },
  ],
  modifierGroups: [{ name: "Término", min: 1, max: 1, modifierIds: [903, 904] }],
};

describe("the last ways in which a dish was asked for", () => {
  it("[TOUCH-377] keeps three of a dish, the last one first and each once", () => {
    let kept: KeptChoices = [];
    for (const ids of [[903], [904], [903, 905], [904], [904, 905]]) kept = withChoice(kept, "114", choice(ids));
    expect(kept).toEqual([["114", [choice([904, 905]), choice([904]), choice([903, 905])]]]);
  });

  it("[TOUCH-377] keeps a hundred dishes, those that were asked for last, and no plain one", () => {
    let kept: KeptChoices = [];
    for (let id = 1; id <= 120; id += 1) kept = withChoice(kept, String(id), choice([1]));
    kept = withChoice(kept, "21", choice([], "Sin sal"));
    expect(kept).toHaveLength(100);
    expect(kept[0]?.[0]).toBe("22");
    expect(kept.at(-1)).toEqual(["21", [choice([], "Sin sal"), choice([1])]]);
    expect(withChoice(kept, "7", choice([]))).toBe(kept);
  });

  it("[TOUCH-377] offers only what the menu still has, with every choice made that must be made", () => {
    const offered = choicesLeft(steak, [
      choice([903, 905], "Sin sal"),
      choice([903, 999]),
      choice([905]),
      choice([904]),
    ]);
    expect(offered.map(({ modifiers, note }) => [...modifiers.map(({ name }) => name), note])).toEqual([
      ["Término medio", "Chimichurri", "Sin sal"],
      ["Bien cocido", ""],
    ]);
  });
});

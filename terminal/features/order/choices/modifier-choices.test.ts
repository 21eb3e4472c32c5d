import type { BackOfficeProduct } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import {
  chosenModifiers,
  choicesOf,
  limitOf,
  mustChoose,
  nameAmong,
  openChoice,
  withTapped,
} from "./modifier-choices.ts";

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
  modifierGroups: [{ name: "Término", min: 1, max: 1, modifierIds: [904, 903] }],
};

describe("the choices of a product", () => {
  it("required groups come first, and the free modifiers together [TOUCH-14]", () => {
    const salsas = { name: "Salsas", modifierIds: [905] };
    const choices = choicesOf({ ...steak, modifierGroups: [salsas, ...(steak.modifierGroups ?? [])] });
    expect(choices.map(({ name, modifiers }) => [name, modifiers.map(({ id }) => id)])).toEqual([
      ["Término", [903, 904]],
      ["Salsas", [905]],
    ]);
    expect(choicesOf(steak).map(({ name }) => name)).toEqual(["Término", null]);
    expect(mustChoose(steak)).toBe(true);
  });

  it("a product without modifiers has no choices, and one without groups has free ones [TOUCH-14]", () => {
    const { modifierGroups: _, modifiers: __, ...plain } = steak;
    expect(choicesOf(plain)).toEqual([]);
    expect(mustChoose({ ...plain, modifiers: [{ id: 1, name: "Sin ajo", price: 0 }] })).toBe(false);
  });

  it("a group is incomplete below its minimum, and accepts no more than its maximum [TOUCH-14]", () => {
    const choices = choicesOf(steak);
    const [doneness] = choices;
    if (doneness === undefined) throw new Error("no choice");
    expect(openChoice(choices, new Set([905]))).toBe(doneness);
    const medium = withTapped(doneness, new Set([905]), 903);
    expect(openChoice(choices, medium)).toBeUndefined();
    expect([...withTapped(doneness, medium, 904)]).toEqual([905, 904]);
    expect([...withTapped(doneness, medium, 903)]).toEqual([905]);
  });

  it("a group is complete once everything in it is chosen, even if the menu requires more [TOUCH-14]", () => {
    const [group] = steak.modifierGroups ?? [];
    if (group === undefined) throw new Error("no group");
    for (const more of [
      { min: 3, max: 3 },
      { min: 2, max: 1 },
    ]) {
      const choices = choicesOf({ ...steak, modifierGroups: [{ ...group, ...more }] });
      expect(choices.map(({ min }) => min)).toEqual([Math.min(2, more.max), 0]);
      expect(openChoice(choices, new Set([903, 904].slice(0, more.max)))).toBeUndefined();
      expect(openChoice(choices, new Set())).toBeDefined();
    }
  });

  it("a group says how many must and may be chosen, unless any number may [TOUCH-465]", () => {
    const modifiers = steak.modifiers ?? [];
    const limits = [
      [0, Infinity],
      [0, 3],
      [0, 1],
      [1, 1],
      [3, Infinity],
      [1, Infinity],
      [1, 2],
    ].map(([min = 0, max = 0]) => limitOf({ name: null, min, max, modifiers }));
    expect(limits).toEqual([
      null,
      null,
      "chooseUpTo",
      "chooseExactly",
      "chooseExactly",
      "chooseAtLeast",
      "chooseBetween",
    ]);
  });

  it("choices of a changed line keep the modifiers that it had, at their number and price [TOUCH-14]", () => {
    const sauces = { id: 905, name: "Chimichurri", price: 40, quantity: 2 };
    const former = { id: 77, name: "Sin cebolla", price: 0 };
    const [medium, done] = steak.modifiers ?? [];
    if (medium === undefined || done === undefined) throw new Error("no modifiers");
    const before = [sauces, former, medium];
    expect(chosenModifiers(steak, new Set([905, 77, 903]), before)).toEqual(before);
    expect(steak.modifiers?.map((each) => nameAmong(before, each))).toEqual([
      "Término medio",
      "Bien cocido",
      "2 x Chimichurri",
    ]);
    expect(chosenModifiers(steak, new Set([904]), before)).toEqual([former, done]);
    expect(chosenModifiers(steak, new Set([903, 904]))).toEqual([medium, done]);
  });
});

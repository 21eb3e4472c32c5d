import type { BackOfficeProduct } from "@comanda/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { availableChoices, withChoice, type LastChoice } from "./last-choices.ts";

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

describe("previous choices", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("three choices of a dish are kept, the last one first and each once [TOUCH-377]", () => {
    let choices: readonly LastChoice[] = [];
    for (const ids of [[903], [904], [903, 905], [904], [904, 905]]) choices = withChoice(choices, choice(ids));
    expect(choices).toEqual([choice([904, 905]), choice([904]), choice([903, 905])]);
  });

  it("choices of the hundred dishes ordered last are kept, and none without choices [TOUCH-377]", async () => {
    vi.stubGlobal("location", new URL("http://hub.local/terminal/"));
    const { lastChoicesOf, rememberChoice } = await import("./saved-choices.ts");
    const dish = (id: number): BackOfficeProduct => ({ ...steak, id });
    const [rare] = steak.modifiers ?? [];
    if (rare === undefined) throw new Error("no modifier");
    for (let id = 1; id <= 120; id += 1) rememberChoice(dish(id), { modifiers: [rare] });
    rememberChoice(dish(21), { modifiers: [rare], note: "Sin sal" });
    rememberChoice(dish(7), {});
    const ids = Array.from({ length: 120 }, (_, index) => index + 1);
    const choices = ids.filter((id) => lastChoicesOf(dish(id)).length > 0);
    expect(choices).toEqual(ids.slice(20));
    expect(lastChoicesOf(dish(21)).map(({ note }) => note)).toEqual(["Sin sal", ""]);
  });

  it("only choices that are still on the menu and complete are offered [TOUCH-377]", () => {
    const offered = availableChoices(steak, [
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

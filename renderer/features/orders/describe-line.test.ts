import type { Language, StoredLine } from "@comanda/protocol";
import { createFormat } from "@comanda/ui/format.ts";
import { translateIn } from "@comanda/ui/translation.ts";
import { expect, it } from "vitest";
import { textsOf } from "../../app/texts.ts";
import { describeLine } from "./describe-line.ts";

function formatterOf(language: Language): Parameters<typeof describeLine>[1] {
  return { t: translateIn(textsOf(language), language, "orders"), format: createFormat(language, "DOP") };
}

const line: StoredLine = {
  id: "a",
  name: "Mofongo",
  quantity: 2,
  total: 900,
  modifiers: [{ id: 1, name: "Queso", price: 50, quantity: 2 }, { id: 2, name: "Sin ajo", price: 0 }, "Bien cocido"],
};

it("a line shows its options with their price, and its discount with the reason [UI-508]", () => {
  expect(describeLine(line, formatterOf("es"))).toEqual(["+ 2 × Queso (RD$50.00)", "+ Sin ajo", "+ Bien cocido"]);
  const percent = { id: "b", quantity: 1, discount: { percent: 10 }, discountReason: "Cumpleaños" };
  expect(describeLine(percent, formatterOf("es"))).toEqual(["Descuento de 10 % · Cumpleaños"]);
  expect(describeLine(percent, formatterOf("en"))).toEqual(["Discount of 10% · Cumpleaños"]);
  expect(describeLine({ ...percent, discount: { amount: 75 } }, formatterOf("en"))).toEqual([
    "Discount of RD$75.00 · Cumpleaños",
  ]);
  expect(describeLine({ id: "c", quantity: 1 }, formatterOf("en"))).toEqual([]);
});

import type { Till } from "@comanda/protocol";
import { expect, it } from "vitest";
import { changeOfTill } from "./change-of-till.ts";

const till: Till = { id: "bar", name: "Barra", shift: null, terminals: ["caja", "barra-1"], printer: "p1" };

it("a change of a till holds only the fields that were changed in its form [TILL-50]", () => {
  expect(changeOfTill(till, { name: "Bar", terminals: ["barra-1", "caja"], printer: "p1" })).toEqual({ name: "Bar" });
  expect(changeOfTill(till, { name: "Barra", terminals: ["caja"], printer: "" })).toEqual({
    terminals: ["caja"],
    printer: null,
  });
  const { printer: _, ...without } = till;
  expect(changeOfTill(without, { name: "Barra", terminals: till.terminals, printer: "" })).toEqual({});
});

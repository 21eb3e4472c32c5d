import type { FiscalRequest } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import {
  choiceFor,
  choiceOnCheck,
  fiscalProblem,
  fiscalRequest,
  fiscalTypes,
  typeOf,
  type FiscalChoice,
} from "./fiscal-types.ts";

const anonymous: FiscalChoice = { type: null, rnc: "", name: "" };
const company: FiscalChoice = { type: null, rnc: "131246789", name: "Constructora del Este SRL" };

function requestOf(choice: FiscalChoice, ncfTypes: readonly string[] | undefined) {
  const types = fiscalTypes(ncfTypes);
  return fiscalRequest(choice, typeOf(choice, types, ncfTypes !== undefined));
}

describe("fiscal type", () => {
  it("the fiscal type follows the customer: final consumer, or tax credit for a buyer with an RNC [TOUCH-76]", () => {
    const both = ["B01", "B02", "B04", "E31", "E32", "E34"];
    expect(requestOf(anonymous, both)).toEqual({ type: "E32" });
    expect(requestOf(company, both)).toEqual({ type: "E31", rnc: "131246789", name: "Constructora del Este SRL" });
    expect(requestOf(anonymous, ["B01", "B02"])).toEqual({ type: "B02" });
    expect(requestOf(company, ["B01", "B02"])).toMatchObject({ type: "B01" });
    expect(requestOf({ ...company, type: "E32" }, both)).toMatchObject({ type: "E32", rnc: "131246789" });
  });

  it("a chosen fiscal type stays when the customer changes, and the default follows the customer [TOUCH-76]", () => {
    const found = { name: "Constructora del Este SRL", rnc: "1-31-24678-9" };
    const both = ["B01", "B02", "E31", "E32"];
    const marked = { ...anonymous, type: "B01" };
    expect(requestOf(choiceFor(marked, found), both)).toEqual({ type: "B01", rnc: "131246789", name: found.name });
    expect(requestOf(choiceFor(anonymous, found), both)).toMatchObject({ type: "E31" });
    expect(choiceFor(choiceFor(marked, found), null)).toEqual(marked);
    expect(requestOf(choiceFor(choiceFor(anonymous, found), null), both)).toEqual({ type: "E32" });
  });

  it("the fiscal type is that of the last part payment, until one is chosen here [TOUCH-531]", () => {
    const types = fiscalTypes(["B01", "B02", "E31", "E32"]);
    const chosenWith = (...parts: { fiscal?: FiscalRequest }[]) => choiceOnCheck(parts, types, true);
    expect(chosenWith()).toEqual(anonymous);
    const parts = [anonymous, company].map((choice) => ({
      fiscal: fiscalRequest(choice, typeOf(choice, types, true)) ?? {},
    }));
    expect(chosenWith(...parts, {})).toEqual(company);
    // The consumer type was not chosen by a user, so a buyer added now gets the other type.
    expect(chosenWith({ fiscal: { type: "E32" } })).toEqual(anonymous);
    expect(chosenWith({ fiscal: { type: "B01", rnc: company.rnc } })).toEqual({ ...company, type: "B01", name: "" });
    expect(choiceOnCheck([{ fiscal: { type: "B02" } }], fiscalTypes(undefined), false)).toEqual({
      ...anonymous,
      type: "B02",
    });
  });

  it("only fiscal types with numbers are offered, and none of a credit note [TOUCH-76]", () => {
    expect(fiscalTypes(["B04", "E34", "E31", "E45", "B02"]).map(({ type }) => type)).toEqual(["B02", "E31", "E45"]);
    expect(requestOf(anonymous, [])).toBeUndefined();
    expect(requestOf(company, ["E32"])).toBeUndefined();
    // The type that was chosen, here or with a part paid elsewhere, has run out of numbers since.
    expect(requestOf({ ...company, type: "B14" }, ["E31", "E32"])).toMatchObject({ type: "E31" });
    expect(requestOf({ ...anonymous, type: "E31" }, ["E32"])).toEqual({ type: "E32" });
  });

  it("without reported sequences, a fiscal type is requested only if chosen or if the buyer has an RNC [TOUCH-76]", () => {
    expect(requestOf(anonymous, undefined)).toBeUndefined();
    expect(requestOf({ ...anonymous, type: "B02" }, undefined)).toEqual({ type: "B02" });
    expect(requestOf(company, undefined)).toMatchObject({ type: "B01" });
  });

  it("the buyer is named, and a missing or invalid RNC is reported [TOUCH-77]", () => {
    const [consumer, credit] = fiscalTypes(["E32", "E31"]);
    expect(fiscalProblem(anonymous, consumer ?? null, 500)).toBeNull();
    expect(fiscalProblem(anonymous, credit ?? null, 500)).toBe("rncMissing");
    expect(fiscalProblem({ ...anonymous, rnc: "1312" }, consumer ?? null, 500)).toBe("rncForm");
    expect(fiscalProblem(company, credit ?? null, 500)).toBeNull();
  });

  it("an export requires a name or an RNC [TOUCH-77]", () => {
    const exported = fiscalTypes(["E46", "B16"]);
    for (const type of exported) {
      expect(fiscalProblem(anonymous, type, 500)).toBe("nameMissing");
      expect(fiscalProblem({ ...anonymous, name: "Jean Dupont" }, type, 500)).toBeNull();
      expect(fiscalProblem(company, type, 500)).toBeNull();
    }
    expect(fiscalRequest({ ...anonymous, name: "Jean Dupont" }, exported[0] ?? null)).toEqual({
      type: "E46",
      name: "Jean Dupont",
    });
  });

  it("from RD$ 250,000 a final consumer has to be identified by RNC or cédula and name [TOUCH-94]", () => {
    const [consumer, credit] = fiscalTypes(["E32", "E31"]);
    const problemAt = (total: number, choice: FiscalChoice) => fiscalProblem(choice, consumer ?? null, total);
    expect([249_999.99, 250_000].map((total) => problemAt(total, anonymous))).toEqual([null, "buyerMissing"]);
    expect(problemAt(250_000, { ...anonymous, rnc: "0011427236" })).toBe("rncForm");
    expect(problemAt(250_000, { ...anonymous, rnc: "00114272360" })).toBe("nameMissing");
    expect(problemAt(250_000, { ...anonymous, rnc: "00114272360", name: "Ana Lucía Méndez" })).toBeNull();
    expect(fiscalProblem(company, credit ?? null, 250_000)).toBeNull();
    expect(fiscalProblem(anonymous, null, 250_000)).toBeNull();
  });
});

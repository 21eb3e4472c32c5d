import { expect, it } from "vitest";
import { digitsOf, hasRncForm, isMistyped, missingOfBuyer, mustIdentifyBuyer } from "./buyer-identity.ts";

it("a final consumer's receipt identifies its buyer from RD$ 250,000.00 on, other types as ever [FISC-70]", () => {
  const totals = [249_999.99, 250_000, 250_000.01];
  expect(totals.map((total) => mustIdentifyBuyer("E32", total))).toEqual([false, true, true]);
  expect(totals.map((total) => mustIdentifyBuyer("B02", total))).toEqual([false, true, true]);
  expect(["B01", "E31", undefined].some((type) => mustIdentifyBuyer(type, 300_000))).toBe(false);
});

it("a buyer is identified by RNC or cédula and name [FISC-70]", () => {
  expect(missingOfBuyer({ rnc: "001-1427236-0", name: "Ana Lucía Méndez" })).toBeNull();
  expect(missingOfBuyer({ rnc: "131246789", name: "Constructora del Este SRL" })).toBeNull();
  expect(missingOfBuyer({ rnc: "1312467890", name: "Ana" })).toBe("rnc");
  expect(missingOfBuyer({ name: "Ana" })).toBe("rnc");
  expect([missingOfBuyer({ rnc: "131246789" }), missingOfBuyer({ rnc: "131246789", name: " " })]).toEqual([
    "name",
    "name",
  ]);
});

it("an RNC has 9 digits, a cédula 11 [TOUCH-77]", () => {
  expect([digitsOf("001-1427236-0"), digitsOf(null)]).toEqual(["00114272360", ""]);
  expect(["131246789", "00114272360"].every(hasRncForm)).toBe(true);
  expect(["", "13124678", "1312467890", "001142723601", "13124678a"].some(hasRncForm)).toBe(false);
});

it("the last digit of an RNC and of a cédula follows from the others [FISC-372]", () => {
  expect(["101-85004-3", "131246788", "130819688", "001-1391820-5", "00114272362"].some(isMistyped)).toBe(false);
  const allOfTen = Array.from({ length: 10 }, (_, digit) => `10185004${digit}`);
  expect(allOfTen.filter((rnc) => !isMistyped(rnc))).toEqual(["101850043"]);
  const swapped = ["101805043", "00139118205"];
  expect(swapped.every(isMistyped)).toBe(true);
  // A number of the wrong length is not mistyped but incomplete.
  expect(["", "10185004", "0011391820", "101850042x1"].some(isMistyped)).toBe(false);
});

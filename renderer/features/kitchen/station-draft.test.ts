import { Stations } from "@comanda/protocol";
import { expect, it } from "vitest";
import { draftsOf, hasNameProblem, settingText, type StationDraft } from "./station-draft.ts";

const draft = (fields: Partial<StationDraft>): StationDraft => ({
  key: 0,
  id: null,
  name: "Bar",
  categoryIds: [],
  productIds: [],
  serving: false,
  ...fields,
});

it("edited stations keep their ids, and new ones get an id that no other has [UI-174]", () => {
  const drafts = [draft({ id: "bar", name: "Bar y café" }), draft({ name: "Bar" }), draft({ name: "Parrilla · Ñ" })];
  const stations = Stations.parse(JSON.parse(settingText(drafts)));
  expect(stations.map(({ id, name }) => [id, name])).toEqual([
    ["bar", "Bar y café"],
    ["bar-2", "Bar"],
    ["parrilla-n", "Parrilla · Ñ"],
  ]);
});

it("edited stations are read back as they were written [UI-174]", () => {
  const text = settingText([draft({ name: ` Chef's "bar" `, categoryIds: ["3"], productIds: ["101"], serving: true })]);
  const [station] = draftsOf(Stations.parse(JSON.parse(text)));
  expect(station).toMatchObject({ name: `Chef's "bar"`, categoryIds: ["3"], productIds: ["101"], serving: true });
});

it("a station without a name, and two with the same name, are reported [UI-174]", () => {
  expect(hasNameProblem([draft({}), draft({ name: "Cocina" })])).toBe(false);
  expect(hasNameProblem([draft({}), draft({ name: " bar " })])).toBe(true);
  expect(hasNameProblem([draft({ name: "  " })])).toBe(true);
});

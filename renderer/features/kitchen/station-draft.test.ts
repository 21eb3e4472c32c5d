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

it("keeps the ids of stations, and gives new ones an id that no other has [UI-174]", () => {
  const drafts = [draft({ id: "bar", name: "Bar y café" }), draft({ name: "Bar" }), draft({ name: "Parrilla · Ñ" })];
  const stations = Stations.parse(JSON.parse(settingText(drafts)));
  expect(stations.map(({ id, name }) => [id, name])).toEqual([
    ["bar", "Bar y café"],
    ["bar-2", "Bar"],
    ["parrilla-n", "Parrilla · Ñ"],
  ]);
});

it("reads again what it writes [UI-174]", () => {
  const text = settingText([draft({ name: ` Chef's "bar" `, categoryIds: ["3"], productIds: ["101"], serving: true })]);
  const [station] = draftsOf(Stations.parse(JSON.parse(text)));
  expect(station).toMatchObject({ name: `Chef's "bar"`, categoryIds: ["3"], productIds: ["101"], serving: true });
});

it("notices a station without a name, or two with one name [UI-174]", () => {
  expect(hasNameProblem([draft({}), draft({ name: "Cocina" })])).toBe(false);
  expect(hasNameProblem([draft({}), draft({ name: " bar " })])).toBe(true);
  expect(hasNameProblem([draft({ name: "  " })])).toBe(true);
});

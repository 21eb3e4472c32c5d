import { expect, it } from "vitest";
import { csvText } from "./csv.ts";

it.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  " =1+1",
  "\u00a0@x",
  "＝1+1",
  "＋1",
  "－1",
  "＠x",
])("a text that a spreadsheet may read as a formula begins with an apostrophe: %j [UI-1247]", (text) => {
  expect(csvText([[text]])).toMatch(/^\uFEFF"?'/);
});

it("other texts and numbers are as they were [UI-1247]", () => {
  expect(csvText([["Pan = 2", "a-b", " ", -5, null, 'di "sí"']])).toBe('\uFEFFPan = 2,a-b, ,-5,,"di ""sí"""\r\n');
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { ExternalLine, StoredLine } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { linesOf, type Snapshot } from "../src/index.ts";

const externalFields = Object.keys(ExternalLine.shape);

describe("fields of a line", () => {
  it("linesOf returns every field that an integrator can send with a line [INT-5]", () => {
    const [line] = linesOf({ lines: [StoredLine.parse(lineWithAllFields()) as Snapshot["lines"][number]] });
    expect(line).toEqual(lineWithAllFields());
  });

  it("the recipe in Python sends back every field that an integrator can send with a line [INT-5]", () => {
    const recipe = readFileSync(path.resolve(import.meta.dirname, "../../../docs/integrations/add-items.md"), "utf8");
    const sent = /^SENT = \((.*)\)$/m.exec(recipe)?.[1]?.match(/\w+/g);
    expect(sent).toEqual(externalFields);
  });
});

/** A line with a valid value for each field. */
function lineWithAllFields(): ExternalLine {
  const values = ["text", 2, ["text"], true];
  const entries = Object.entries(ExternalLine.shape).map(([field, schema]) => [
    field,
    values.find((value) => schema.safeParse(value).success),
  ]);
  return ExternalLine.parse(Object.fromEntries(entries));
}

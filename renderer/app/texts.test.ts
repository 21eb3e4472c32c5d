import { describe, expect, it } from "vitest";
import { textsOf } from "./texts.ts";

/** Every text by its path. */
function flatten(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => flatten(inner, `${path}/${key}`));
}
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name).toSorted((a, b) => a.localeCompare(b));

const es = new Map(flatten(textsOf("es")));
const en = new Map(flatten(textsOf("en")));

describe("texts", () => {
  it("[UI-6] exist in both languages", () => {
    expect([...en.keys()].toSorted()).toEqual([...es.keys()].toSorted());
  });

  it("[UI-6] say the same things: each has the same placeholders in both languages", () => {
    const differing = [...es].filter(
      ([path, text]) => JSON.stringify(placeholders(text)) !== JSON.stringify(placeholders(en.get(path) ?? "")),
    );
    expect(differing.map(([path]) => path)).toEqual([]);
  });

  it("[UI-6] are never empty in one language only", () => {
    const incomplete = [...es].filter(([path, text]) => (text === "") !== (en.get(path) === ""));
    expect(incomplete).toEqual([]);
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { Parser } from "@asyncapi/parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { apiDocuments } from "../build/api-documents.ts";

const openApi = apiDocuments();
const asyncApi = readFileSync(path.resolve(import.meta.dirname, "../../docs/asyncapi.yaml"), "utf8");

/** The regular expressions anywhere in a document. */
function patternsIn(value: unknown): Set<string> {
  const found = new Set<string>();
  const walk = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    for (const [key, inner] of Object.entries(each)) {
      if (key === "pattern" && typeof inner === "string") found.add(inner);
      else walk(inner);
    }
  };
  walk(value);
  return found;
}

describe("the descriptions", () => {
  it.each([
    ["integration", {}],
    ["terminal", {}],
    // Its tags are the screens' own, and the hub does not show it as a page.
    ["operator", { "tag-description": "off" }],
  ] as const)("[EXT-93] of the %s API has nothing that Redocly's recommended rules object to", async (name, rules) => {
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lintFromString({ source: openApi[name], config });
    const found = problems.map(({ ruleId, severity, message, location }) =>
      [severity, ruleId, message, location[0]?.pointer].join(" "),
    );
    expect(found).toEqual([]);
  });

  it("[EXT-94] asyncapi.yaml is one that the AsyncAPI parser accepts", async () => {
    const { document, diagnostics } = await new Parser().parse(asyncApi);
    expect(
      diagnostics.filter(({ severity }) => severity < 2).map(({ code, message, path: at }) => [code, message, at]),
    ).toEqual([]);
    expect(document?.allMessages().length).toBeGreaterThan(40);
  });

  it("[EXT-97] have patterns that Python and other languages read, too", () => {
    for (const [name, text] of Object.entries({ ...openApi, asyncApi })) {
      const patterns = patternsIn(parse(text));
      expect(patterns.size, name).toBeGreaterThan(5);
      // Classes of Unicode, looking around, and references back.
      expect(
        [...patterns].filter((pattern) => /\\[pPkuX1-9]|\(\?(?!:)/.test(pattern)),
        name,
      ).toEqual([]);
    }
  });
});

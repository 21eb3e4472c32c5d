import { readFileSync } from "node:fs";
import path from "node:path";
import { Parser } from "@asyncapi/parser";
import { createConfig, lint } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const docs = path.resolve(import.meta.dirname, "../../docs");

const protocolSchemas = path.resolve(import.meta.dirname, "../../protocol/schema");

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
    ["openapi.json", {}],
    ["terminal-api.json", {}],
    // Its tags are the screens' own, and the hub does not show it as a page.
    ["operator-api.json", { "tag-description": "off" }],
  ] as const)("[EXT-93] %s has nothing that Redocly's recommended rules object to", async (name, rules) => {
    const config = await createConfig({ extends: ["recommended"], rules });
    const problems = await lint({ ref: path.join(docs, name), config });
    const found = problems.map(({ ruleId, severity, message, location }) =>
      [severity, ruleId, message, location[0]?.pointer].join(" "),
    );
    expect(found).toEqual([]);
  });

  it("[EXT-94] asyncapi.yaml is one that the AsyncAPI parser accepts", async () => {
    const text = readFileSync(path.join(docs, "asyncapi.yaml"), "utf8");
    const { document, diagnostics } = await new Parser().parse(text);
    expect(
      diagnostics.filter(({ severity }) => severity < 2).map(({ code, message, path: at }) => [code, message, at]),
    ).toEqual([]);
    expect(document?.allMessages().length).toBeGreaterThan(40);
  });

  it("[EXT-97] have patterns that Python and other languages read, too", () => {
    const names = ["openapi.json", "terminal-api.json", "operator-api.json", "asyncapi.yaml"];
    const files = [...names.map((name) => path.join(docs, name)), path.join(protocolSchemas, "protocol.schema.json")];
    for (const file of files) {
      const patterns = patternsIn(parse(readFileSync(file, "utf8")));
      expect(patterns.size, file).toBeGreaterThan(5);
      // Classes of Unicode, looking around, and references back.
      expect(
        [...patterns].filter((pattern) => /\\[pPkuX1-9]|\(\?(?!:)/.test(pattern)),
        file,
      ).toEqual([]);
    }
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { Parser } from "@asyncapi/parser";
import { createConfig, lint } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";

const docs = path.resolve(import.meta.dirname, "../../docs");

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
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { Parser } from "@asyncapi/parser";
import { CreateWebhook, WebhookEvent } from "@comanda/protocol";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { apiDocuments } from "../../build/api-documents.ts";

const openApi = apiDocuments();
const asyncApi = readFileSync(path.resolve(import.meta.dirname, "../../../docs/asyncapi.yaml"), "utf8");

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

  it("[INT-9] have no default in a body that integrations send", () => {
    const { paths, components } = JSON.parse(openApi.integration) as {
      paths: Record<string, Record<string, { requestBody?: object }>>;
      components: { schemas: Record<string, { required?: string[] }> };
    };
    const bodies = Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each.requestBody));
    const named = new Set([...JSON.stringify(bodies).matchAll(/schemas\/(\w+)"/g)].map(([, name = ""]) => name));
    expect([...named]).toContain("CreateOrder");
    for (const name of named) expect(JSON.stringify(components.schemas[name]), name).not.toContain('"default"');
    expect(components.schemas["CreateOrder"]?.required).toEqual(["lines", "totals"]);
  });

  it("[INT-11] say of a webhook's address that it is http or https", () => {
    const { components } = JSON.parse(openApi.integration) as {
      components: { schemas: { CreateWebhook: { properties: { url: { pattern?: string; description?: string } } } } };
    };
    const { pattern = "", description } = components.schemas.CreateWebhook.properties.url;
    const described = new RegExp(pattern, "u");
    const addresses = [
      "http://192.168.1.40:5678/hook",
      "HTTPS://example.test",
      "",
      "ftp://example.test/",
      "http://",
      "x",
    ];
    expect(addresses.filter((url) => described.test(url))).toEqual(addresses.slice(0, 2));
    expect(addresses.filter((url) => CreateWebhook.safeParse({ url }).success)).toEqual(addresses.slice(0, 2));
    expect(description).toContain("http or https");
  });

  it("[INT-10] have a body of its own for each event, whose event tells what its data is", () => {
    const { webhooks, components } = JSON.parse(openApi.integration) as {
      webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }>;
      components: { schemas: Record<string, { properties: { event: { enum?: string[]; const?: string } } }> };
    };
    const described = Object.entries(webhooks).map(([event, { post }]) => {
      const name = post.requestBody.content["application/json"]?.schema.$ref.split("/").at(-1) ?? "";
      const { enum: several, const: one } = components.schemas[name]?.properties.event ?? {};
      return { event, isNamed: (several ?? [one]).includes(event), name };
    });
    expect(described).toEqual(
      WebhookEvent.options.map((event) => ({
        event,
        isNamed: true,
        name: event.startsWith("table.") ? "TableDelivery" : "OrderDelivery",
      })),
    );
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

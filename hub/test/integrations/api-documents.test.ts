import { readFileSync } from "node:fs";
import path from "node:path";
import { Parser } from "@asyncapi/parser";
import { CreateWebhook, WebhookEvent } from "@comanda/protocol";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { apiDocuments } from "../../build/api-documents.ts";
import { startTestHub } from "../support/start-test-hub.ts";

const openApi = apiDocuments();
const asyncApi = readFileSync(path.resolve(import.meta.dirname, "../../../docs/asyncapi.yaml"), "utf8");

/** Collects the regular expressions of a document. */
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

describe("API documents ", () => {
  it.each([
    ["integration", {}],
    ["terminal", {}],
    // Its tags are internal to the screens, and the hub does not publish this document as a page.
    ["operator", { "tag-description": "off" }],
  ] as const)(
    "the %s API's document has no problems under Redocly's recommended rules [EXT-93]",
    async (name, rules) => {
      const config = await createConfig({ extends: ["recommended"], rules });
      const problems = await lintFromString({ source: openApi[name], config });
      const found = problems.map(({ ruleId, severity, message, location }) =>
        [severity, ruleId, message, location[0]?.pointer].join(" "),
      );
      expect(found).toEqual([]);
    },
  );

  it("the AsyncAPI parser accepts asyncapi.yaml [EXT-94]", async () => {
    const { document, diagnostics } = await new Parser().parse(asyncApi);
    expect(
      diagnostics.filter(({ severity }) => severity < 2).map(({ code, message, path: at }) => [code, message, at]),
    ).toEqual([]);
    expect(document?.allMessages().length).toBeGreaterThan(40);
  });

  it("each operation documents the errors of body size and of a full disk [EXT-101]", () => {
    for (const text of Object.values(openApi)) {
      const { paths } = JSON.parse(text) as {
        paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
      };
      const operations = Object.entries(paths).flatMap(([address, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => ({ name: `${method} ${address}`, responses })),
      );
      expect(operations.length).toBeGreaterThan(20);
      for (const { name, responses } of operations) {
        expect(responses["413"]?.description, name).toBe("PAYLOAD_TOO_LARGE");
        if (!name.startsWith("get ")) expect(responses["503"]?.description, name).toContain("STORAGE_FULL");
      }
    }
  });

  it("the documents name every field of a refusal and the type of every answer [EXT-102]", async () => {
    const hub = await startTestHub();
    const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    const party = { guestName: "Ana", partySize: 2, quotedMinutes: 10, status: "waiting", version: 7 };
    const refund = { refundId: crypto.randomUUID(), posReference: "A", reason: "cold", actor: "made-up" };
    const refusals = [
      ["terminal", "PUT", "/terminal/v1/waiting/party", party],
      ["terminal", "POST", "/terminal/v1/refunds", { ...refund, refund: [{ methodId: 1, amount: 1 }] }],
      ["operator", "POST", "/operator/v1/webhooks", {}],
      ["operator", "POST", "/operator/v1/chain", { address: "headquarters", code: "none" }],
    ] as const;
    const found = new Set<string>();
    for (const [name, method, address, body] of refusals) {
      const refusal = await hub.send(method, address, { headers, body });
      expect(refusal.status, address).toBeGreaterThanOrEqual(400);
      const { components } = JSON.parse(openApi[name]) as {
        components: { schemas: { Error: { properties: object } } };
      };
      expect(Object.keys(components.schemas.Error.properties), name).toEqual(
        expect.arrayContaining(Object.keys(refusal.body)),
      );
      for (const field of Object.keys(refusal.body)) found.add(field);
    }
    expect(found).toEqual(new Set(["error", "errorCode", "version", "refusedToken", "issues", "reason"]));

    const download = await hub.send("GET", "/operator/v1/logs/export", { headers });
    expect(download).toMatchObject({ status: 200, headers: { "content-type": expect.stringContaining("text/plain") } });
    const { paths } = JSON.parse(openApi.operator) as {
      paths: Record<string, { get: { responses: { 200: { content: object } } } }>;
    };
    expect(Object.keys(paths["/operator/v1/logs/export"]?.get.responses[200].content ?? {})).toEqual(["*/*"]);
  });

  it("request bodies of the integration API have no default values [INT-9]", () => {
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

  it("the integration document requires http or https for a webhook's address [INT-11]", () => {
    const { components } = JSON.parse(openApi.integration) as {
      components: { schemas: { CreateWebhook: { properties: { url: { pattern?: string; description?: string } } } } };
    };
    const { pattern = "", description } = components.schemas.CreateWebhook.properties.url;
    const described = new RegExp(pattern, "u");
    const addresses = [
      "http://192.168.1.40:5678/hook",
      "HTTPS://example.test",
      " http://example.test",
      "",
      "ftp://example.test/",
      "http://",
      "x",
    ];
    expect(addresses.filter((url) => described.test(url))).toEqual(addresses.slice(0, 3));
    expect(addresses.filter((url) => CreateWebhook.safeParse({ url }).success)).toEqual(addresses.slice(0, 3));
    expect(CreateWebhook.parse({ url: addresses[2] }).url).toBe("http://example.test");
    expect(description).toContain("http or https");
  });

  it("each webhook event has a documented body that names the event [INT-10]", () => {
    const { webhooks, components } = JSON.parse(openApi.integration) as {
      webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }>;
      components: { schemas: Record<string, { properties: { event: { enum?: string[]; const?: string } } }> };
    };
    const described = Object.entries(webhooks).map(([event, { post }]) => {
      const name = post.requestBody.content["application/json"]?.schema.$ref.split("/").at(-1) ?? "";
      const { enum: several, const: single } = components.schemas[name]?.properties.event ?? {};
      return { event, isNamed: (several ?? [single]).includes(event), name };
    });
    expect(described).toEqual(
      WebhookEvent.options.map((event) => ({
        event,
        isNamed: true,
        name: event.startsWith("table.") ? "TableDelivery" : "OrderDelivery",
      })),
    );
  });

  it("patterns in the documents are portable to Python and other languages [EXT-97]", () => {
    for (const [name, text] of Object.entries({ ...openApi, asyncApi })) {
      const patterns = patternsIn(parse(text));
      expect(patterns.size, name).toBeGreaterThan(5);
      // Unicode classes, lookarounds and back-references are not portable.
      expect(
        [...patterns].filter((pattern) => /\\[pPkuX1-9]|\(\?(?!:)/.test(pattern)),
        name,
      ).toEqual([]);
    }
  });
});

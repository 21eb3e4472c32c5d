import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { externalRoutes, WebhookDelivery, type ExternalRouteName, type HttpRoute } from "@comanda/protocol";
import { apiDocuments } from "../../build/api-documents.ts";
import { deliveryExamples, examples } from "../../build/openapi-examples.ts";
import { dineInOrder, takeoutOrder } from "../support/builders.ts";
import { startTestHub } from "../support/start-test-hub.ts";

const routes = Object.entries(externalRoutes) as [ExternalRouteName, HttpRoute][];

/** Returns the schemas of the success answers, by status. */
function answersOf({ status, answer, otherAnswer }: HttpRoute) {
  const answers = new Map<number, HttpRoute["answer"]>([[status ?? 200, answer]]);
  return otherAnswer === undefined ? answers : answers.set(otherAnswer.status, otherAnswer.answer);
}

describe("documentation ", () => {
  it("the documents describe exactly the routes that are served [EXT-70]", async () => {
    const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "p" } });
    for (const [name, { method, path: template, access }] of routes) {
      const address = template.replace(":pluginId", "p").replaceAll(/:(\w+)/g, "x");
      const caller = access === "manager" ? hub.admin() : hub.external();
      const below = address.replace(/^\/external(\/v1|-keys)/, "");
      const call = { GET: caller.get, POST: caller.post, PATCH: caller.patch, DELETE: caller.delete }[
        method as Exclude<typeof method, "PUT">
      ];
      const { status, body } = await call(below);
      if (status === 404) expect(body.error, name).toMatch(/^there is no (order|webhook|live record|such key)/);
    }
  });

  it("the documents' examples match their schemas [EXT-70]", () => {
    for (const [name, route] of routes) {
      const { body } = route;
      const shown = examples[name];
      expect(shown.body !== undefined, name).toBe(body !== undefined);
      if (body !== undefined) expect(body.safeParse(shown.body).error, name).toBeUndefined();
      expect(Object.keys(shown.answers), name).toEqual([...answersOf(route).keys()].map(String).toSorted());
      for (const [status, answer] of answersOf(route)) {
        expect(answer?.safeParse(shown.answers[status]).error, `${name} ${status}`).toBeUndefined();
      }
    }
    for (const [event, delivery] of Object.entries(deliveryExamples)) {
      expect(delivery.event).toBe(event);
      expect(WebhookDelivery.safeParse(delivery).error, event).toBeUndefined();
    }
  });

  it("the committed document is generated from the schemas [EXT-70]", () => {
    const committed = path.resolve(import.meta.dirname, "../../../docs/openapi.json");
    expect(readFileSync(committed, "utf8")).toBe(apiDocuments().integration);
  });

  it("the hub's answers match the documented schemas [EXT-70]", async () => {
    const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "board" } });
    const external = hub.external();
    const check = (name: ExternalRouteName, { status, body }: { status: number; body: unknown }): void => {
      const answer = answersOf(externalRoutes[name]).get(status);
      expect(answer, `${name} ${status}: ${JSON.stringify(body)}`).toBeDefined();
      expect(answer?.safeParse(body).error, name).toBeUndefined();
    };
    check("createOrder", await external.post("/orders", dineInOrder(31, { externalRef: "a" })));
    check("createOrder", await external.post("/orders", dineInOrder(31, { externalRef: "a" })));
    const { posReference } = (await external.post("/orders", takeoutOrder())).body;
    const at = `/orders/${encodeURIComponent(posReference)}`;
    check("updateOrder", await external.patch(at, { baseVersion: 1, notes: "x" }));
    check("readOrder", await external.get(at));
    check("listOrders", await external.get("/orders"));
    check("listTables", await external.get("/tables"));
    check("readSession", await external.get("/session"));
    check("readFloorPlan", await external.get("/floor-plan"));
    const webhook = await external.post("/webhooks", { url: "http://127.0.0.1:1/" });
    check("createWebhook", webhook);
    check("listWebhooks", await external.get("/webhooks"));
    check("testWebhook", await external.post(`/webhooks/${webhook.body.id}/test`));
    check("deleteWebhook", await external.delete(`/webhooks/${webhook.body.id}`));
    check(
      "postPluginEvent",
      await external.post("/plugins/board/events", { key: "k", payload: { a: 1 }, ttlSeconds: 9 }),
    );
    check("readPluginEvent", await external.get("/plugins/board/events/k"));
    check("listPluginEvents", await external.get("/plugins/board/events"));
    check("deletePluginEvent", await external.delete("/plugins/board/events/k"));
    const key = await hub.admin().post("", { label: "x", scopes: ["read"] });
    check("createKey", key);
    check("listKeys", await hub.admin().get(""));
    check("updateKey", await hub.admin().patch(`/${key.body.keyId}`, { enabled: false }));
    check("deleteKey", await hub.admin().delete(`/${key.body.keyId}`));
  });

  it("the integration document is served as a file [EXT-70]", async () => {
    const hub = await startTestHub();
    const file = await hub.send("GET", "/external/openapi.json");
    expect(file.status).toBe(200);
    expect(file.body.openapi).toBe("3.1.0");
    expect(`${JSON.stringify(file.body, null, 2)}\n`).toBe(apiDocuments().integration);
    for (const reference of JSON.stringify(file.body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      expect(file.body.components.schemas).toHaveProperty(reference[1] ?? "");
    }
  });

  it("the documentation pages load nothing from other hosts [EXT-71]", async () => {
    const hub = await startTestHub();
    for (const address of ["/external/docs", "/terminal/v1/docs", "/terminal/v1/messages"]) {
      const page = await hub.send("GET", address);
      expect(page.status).toBe(200);
      expect(page.headers["content-type"]).toContain("text/html");
      const policy = page.headers["content-security-policy"] ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).not.toMatch(/https?:|unsafe-eval/);
      const html = page.body as string;
      const loaded = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, file = ""]) => file);
      expect(loaded.length).toBeGreaterThan(2);
      for (const file of loaded) expect(file).toMatch(/^\//);
      expect(html).not.toMatch(/<script>|@import|url\(/);
      for (const file of loaded.filter((each) => each.startsWith("/external/docs/"))) {
        const script = await hub.send("GET", file);
        expect(script, file).toMatchObject({
          status: 200,
          headers: { "content-type": "text/javascript; charset=utf-8" },
        });
      }
    }
    const messages = await hub.send("GET", "/terminal/v1/asyncapi.yaml");
    expect(messages.body).toBe(readFileSync(path.resolve(import.meta.dirname, "../../../docs/asyncapi.yaml"), "utf8"));
    expect((await hub.send("POST", "/external/docs")).status).toBe(404);
  });

  it("the documentation is compressed for clients that accept it [EXT-71]", async () => {
    const hub = await startTestHub();
    const plain = (await hub.send("GET", "/external/openapi.json")).body;
    const answer = await fetch(`${hub.url}/external/openapi.json`, { headers: { "Accept-Encoding": "gzip" } });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    expect(await answer.json()).toEqual(plain);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { externalRoutes, WebhookDelivery, type ExternalRoute, type ExternalRouteName } from "@comanda/protocol";
import { openApiFile, openApiText } from "../build/generate-openapi.ts";
import { deliveryExamples, examples } from "../http/external/openapi/examples.ts";
import type { Endpoint } from "../http/external/endpoint.ts";
import { floorEndpoints } from "../http/routes/external-floor.ts";
import { orderEndpoints } from "../http/routes/external-orders.ts";
import { pluginEndpoints } from "../http/routes/external-plugins.ts";
import { webhookEndpoints } from "../http/routes/external-webhooks.ts";
import { dineInOrder, takeoutOrder } from "./builders.ts";
import { startTestHub } from "./start-test-hub.ts";

const routes = Object.entries(externalRoutes) as [ExternalRouteName, ExternalRoute][];
const route = (name: ExternalRouteName): ExternalRoute => externalRoutes[name];

/** The routes that are served; what they work with is not asked for here. */
const served: Endpoint[] = [
  ...floorEndpoints({} as never),
  ...orderEndpoints({} as never, {} as never),
  ...webhookEndpoints({} as never),
  ...pluginEndpoints({} as never),
];

describe("the documents", () => {
  it("[EXT-70] name exactly the routes that are served, with their scopes and bodies", () => {
    const key = (method: string, path: string): string => `${method} ${path}`;
    const documented = routes
      .filter(([, { who }]) => who !== "manager")
      .map(([, { method, path, who, body }]) => [key(method, path.slice("/external/v1".length)), { who, body }]);
    const offered = served.map(({ method, path, scope, body }) => [key(method, path), { who: scope, body }]);
    expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(documented));
    expect(offered).toHaveLength(documented.length);
  });

  it("[EXT-70] show only examples that are true to their schemas", () => {
    for (const [name, { body, answers }] of routes) {
      const shown = examples[name];
      expect(shown.body !== undefined, name).toBe(body !== undefined);
      if (body !== undefined) expect(body.safeParse(shown.body).error, name).toBeUndefined();
      expect(Object.keys(shown.answers), name).toEqual(answers.map(({ status }) => String(status)).toSorted());
      for (const answer of answers) {
        expect(answer.body.safeParse(shown.answers[answer.status]).error, `${name} ${answer.status}`).toBeUndefined();
      }
    }
    for (const delivery of deliveryExamples) expect(WebhookDelivery.safeParse(delivery).error).toBeUndefined();
  });

  it("[EXT-70] are committed as they are made from the schemas", () => {
    expect(readFileSync(openApiFile, "utf8")).toBe(openApiText());
  });

  it("[EXT-70] describe what the hub really answers", async () => {
    const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "board" } });
    const external = hub.external();
    const check = (name: ExternalRouteName, { status, body }: { status: number; body: unknown }): void => {
      const answer = route(name).answers.find((each) => each.status === status);
      expect(answer, `${name} ${status}: ${JSON.stringify(body)}`).toBeDefined();
      expect(answer?.body.safeParse(body).error, name).toBeUndefined();
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
    const made = await hub.admin().post("", { label: "x", scopes: ["read"] });
    check("createKey", made);
    check("listKeys", await hub.admin().get(""));
    check("updateKey", await hub.admin().patch(`/${made.body.keyId}`, { enabled: false }));
    check("deleteKey", await hub.admin().delete(`/${made.body.keyId}`));
  });

  it("[EXT-70][EXT-71] are served as a file and as a page that asks no other host", async () => {
    const hub = await startTestHub();
    const file = await hub.send("GET", "/external/openapi.json");
    expect(file.status).toBe(200);
    expect(file.body.openapi).toBe("3.1.0");
    expect(`${JSON.stringify(file.body, null, 2)}\n`).toBe(openApiText());
    for (const reference of JSON.stringify(file.body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      expect(file.body.components.schemas).toHaveProperty(reference[1] ?? "");
    }
    const page = await hub.send("GET", "/external/docs");
    expect(page.status).toBe(200);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    const html = page.body as string;
    for (const [, address = ""] of html.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(address).toMatch(/^(\/external\/|#)/);
    expect(html).not.toMatch(/<script|@import|url\(/);
    for (const [, { method, path }] of routes)
      expect(html).toContain(`${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    for (const [, target = ""] of html.matchAll(/href="#([^"]*)"/g)) expect(html).toContain(`id="${target}"`);
    expect((await hub.send("GET", "/external/docs.css")).headers["content-type"]).toContain("text/css");
    expect((await hub.send("POST", "/external/docs")).status).toBe(404);
  });
});

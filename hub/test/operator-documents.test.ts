import { readFileSync } from "node:fs";
import { operatorRoutes, type OperatorRoute, type OperatorRouteName } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { operatorApiFile, operatorApiText } from "../build/generate-operator-openapi.ts";
import { operatorOf } from "./operator.ts";
import { startTestHub } from "./start-test-hub.ts";

const routes = Object.entries(operatorRoutes) as [OperatorRouteName, OperatorRoute][];

describe("the route table of the operator API", () => {
  it("[OP-4] is served whole: every route for managers asks who is there, every public one answers", async () => {
    const call = operatorOf(await startTestHub());
    const params = { posReference: "A", version: 1, terminalId: "t", eventId: 1, paymentId: 1, keyId: "k" };
    const more = { webhookId: "w", deliveryId: 1, pluginId: "p", key: "k", name: "n" };
    for (const [name, route] of routes) {
      if (route.optional === true || route.stream === true || name === "signIn") continue;
      const { status } = await call(name, { params: { ...params, ...more }, token: null });
      expect({ name, status }).toEqual({ name, status: route.who === "manager" ? 401 : 200 });
    }
  });

  it("[OP-60] is described by docs/operator-api.json, which is current and has no dangling reference", () => {
    expect(readFileSync(operatorApiFile, "utf8")).toBe(operatorApiText());
    const document = JSON.parse(operatorApiText()) as {
      paths: object;
      components: { schemas: Record<string, object> };
    };
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name = ""] of references) expect(document.components.schemas).toHaveProperty([name]);
    const operations = Object.values(document.paths).flatMap((path: object) => Object.values(path));
    const described = new Set(operations.map((operation) => operation.operationId));
    expect(described).toEqual(new Set(routes.map(([name]) => name)));
  });
});

import { operatorRoutes, type HttpRoute, type OperatorRouteName } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { apiDocuments } from "../../build/api-documents.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";

const routes = Object.entries(operatorRoutes) as [OperatorRouteName, HttpRoute][];

describe("routes of the operator API", () => {
  it("the operator API serves its whole route table, and only its public routes without a session [OP-4]", async () => {
    const call = operatorOf(await startTestHub());
    const params = { posReference: "A", version: 1, terminalId: "t", eventId: 1, paymentId: 1, keyId: "k" };
    const more = { webhookId: "w", deliveryId: 1, pluginId: "p", key: "k", name: "n" };
    for (const [name, route] of routes) {
      if (route.stream === true || name.startsWith("signIn")) continue;
      const { status } = await call(name, { params: { ...params, ...more }, token: null });
      expect({ name, status }).toEqual({ name, status: route.access === "manager" ? 401 : 200 });
    }
  });

  it("the operator API's OpenAPI document describes every route and has no dangling reference [OP-60]", () => {
    const document = JSON.parse(apiDocuments().operator) as {
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

import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  createIntegrationClient,
  createKeyAdministration,
  HubRefusal,
  HubUnreachable,
  linesOf,
  routes,
  type IntegrationClient,
  type NewOrder,
} from "../src/index.ts";
import { startPrograms, type Programs } from "./start-programs.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const coffee = { productId: "101", quantity: 1, unitPrice: 118, total: 118, taxIds: ["1"], taxAmount: 18 };
const takeout: NewOrder = { orderType: "takeout", lines: [coffee], totals: { subtotal: 100, tax: 18, total: 118 } };

let programs: Programs;
beforeAll(async () => {
  programs = await startPrograms();
});
afterAll(() => programs.stop());

async function newClient(label = "client"): Promise<IntegrationClient> {
  const { url } = programs;
  const administration = createKeyAdministration({ url, managerToken: await programs.signIn("manager") });
  const scopes = ["read", "orders:write", "webhooks:manage", "plugins:write"] as const;
  const { token } = await administration.create({ label, scopes: [...scopes] });
  return createIntegrationClient({ url, key: token });
}

/** Starts a server with prepared responses that records its requests. */
async function startFake(
  answers: [number, unknown][],
): Promise<{ url: string; requests: { method: string; body: string }[] }> {
  const requests: { method: string; body: string }[] = [];
  const listener: RequestListener = (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      requests.push({ method: request.method ?? "", body });
      const [status, answer] = answers[Math.min(requests.length, answers.length) - 1] ?? [200, {}];
      if (status === 0) response.destroy();
      else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

describe("the client", () => {
  it("the client has exactly the calls of the API description [INT-1]", () => {
    const text = readFileSync(path.join(root, "docs/openapi.json"), "utf8");
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId: string }>> };
    const described = Object.entries(paths).flatMap(([address, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, [method.toUpperCase(), address]]),
    );
    expect(routes).toEqual(Object.fromEntries(described));
  });

  it("the client reads, writes, subscribes and posts plugin records [INT-1]", async () => {
    const client = await newClient();
    expect(await client.session()).toMatchObject({ active: true });
    const plan = await client.floorPlan();
    const tableId = plan.floors[0]?.tables[0]?.id ?? 0;
    const made = await client.createOrder({ ...takeout, orderType: "dine_in", tableId });
    expect(made).toMatchObject({ version: 1 });
    expect(await client.order(made.posReference)).toMatchObject({ tableId });
    expect((await client.orders()).map((order) => order.posReference)).toContain(made.posReference);
    expect((await client.orders("all")).length).toBeGreaterThan(0);
    expect(await client.tables()).toContainEqual(expect.objectContaining({ tableId, status: "occupied" }));
    const refused = client.createOrder({ ...takeout, tableId });
    await expect(refused).rejects.toMatchObject({
      status: 409,
      errorCode: "TABLE_OCCUPIED",
      existing: { posReference: made.posReference },
    });
    const webhook = await client.webhooks.create({ url: "http://127.0.0.1:1/" });
    expect(await client.webhooks.test(webhook.id)).toMatchObject({ sent: false });
    expect(await client.webhooks.list()).toHaveLength(1);
    expect(await client.webhooks.delete(webhook.id)).toEqual({ deleted: true });
    const reservations = client.plugin("reservations");
    const payload = { tableId, at: "2026-11-20T20:30:00-04:00", guestName: "Ana" };
    const record = await reservations.post({ key: "b/1", payload });
    expect(await reservations.get("b/1")).toEqual(record);
    expect(await reservations.list()).toEqual([record]);
    expect(await reservations.delete("b/1")).toEqual({ deleted: true });
    await expect(client.order("POS/404")).rejects.toBeInstanceOf(HubRefusal);
  });

  it("the client administers keys [INT-1]", async () => {
    const { url } = programs;
    const administration = createKeyAdministration({ url, managerToken: await programs.signIn("manager") });
    const { keyId, token } = await administration.create({ label: "short", scopes: ["read"] });
    expect((await administration.list()).map((key) => key.keyId)).toContain(keyId);
    expect(await administration.setEnabled(keyId, false)).toEqual({ keyId, enabled: false });
    await expect(createIntegrationClient({ url, key: token }).session()).rejects.toMatchObject({ status: 401 });
    expect(await administration.delete(keyId)).toEqual({ deleted: true });
    const waiter = createKeyAdministration({ url, managerToken: await programs.signIn("waiter") });
    await expect(waiter.list()).rejects.toMatchObject({ errorCode: "FORBIDDEN" });
  });

  it("the client retries 429, 503 and 500 with growing waits [INT-2]", async () => {
    const limited = { error: "x", errorCode: "RATE_LIMITED" };
    const { url, requests } = await startFake([
      [429, limited],
      [503, limited],
      [500, limited],
      [200, { tables: [] }],
    ]);
    const waits: number[] = [];
    const sleep = async (ms: number): Promise<void> => void waits.push(ms);
    const client = createIntegrationClient({ url, key: "hub_x_y", retry: { sleep, firstMs: 100 } });
    expect(await client.tables()).toEqual([]);
    expect(requests).toHaveLength(4);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(50 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(100 * 2 ** index);
    }
  });

  it("the client gives up in the end, and at once where a retry is useless or harmful [INT-2]", async () => {
    const sleep = async (): Promise<void> => {};
    const attemptsOf = async (
      status: number,
      errorCode: string,
      act: (client: IntegrationClient) => Promise<unknown>,
    ) => {
      const { url, requests } = await startFake([[status, { error: "x", errorCode }]]);
      const client = createIntegrationClient({ url, key: "hub_x_y", timeoutMs: 2000, retry: { sleep, attempts: 4 } });
      await expect(act(client)).rejects.toBeInstanceOf(status === 0 ? HubUnreachable : HubRefusal);
      return requests.length;
    };
    const read = (client: IntegrationClient) => client.tables();
    const subscribe = (client: IntegrationClient) => client.webhooks.create({ url: "http://127.0.0.1/" });
    expect(await attemptsOf(503, "UPSTREAM_UNAVAILABLE", read)).toBe(4);
    expect(await attemptsOf(0, "", read)).toBe(4);
    expect(await attemptsOf(0, "", (client) => client.createOrder(takeout))).toBe(4);
    expect(await attemptsOf(0, "", subscribe)).toBe(1);
    expect(await attemptsOf(500, "INTERNAL_ERROR", subscribe)).toBe(1);
    expect(await attemptsOf(429, "RATE_LIMITED", subscribe)).toBe(4);
    for (const [status, code] of [
      [400, "VALIDATION_ERROR"],
      [401, "UNAUTHENTICATED"],
      [404, "NOT_FOUND"],
      [409, "ORDER_LOCKED"],
    ] as const) {
      expect(await attemptsOf(status, code, read)).toBe(1);
    }
  });

  it("the client opens one check however often the answer is lost [INT-3]", async () => {
    const { url, requests } = await startFake([
      [0, null],
      [0, null],
      [201, { posReference: "x", version: 1, snapshot: {} }],
    ]);
    const sleep = async (): Promise<void> => {};
    const client = createIntegrationClient({ url, key: "hub_x_y", retry: { sleep } });
    await client.createOrder(takeout);
    const refs = requests.map(({ body }) => (JSON.parse(body) as { externalRef: string }).externalRef);
    expect(new Set(refs).size).toBe(1);
    expect(refs[0]).toMatch(/^[\w-]{1,64}$/);
    const real = await newClient();
    const [first, second] = [
      await real.createOrder({ ...takeout, externalRef: "mine" }),
      await real.createOrder({ ...takeout, externalRef: "mine" }),
    ];
    expect(second.posReference).toBe(first.posReference);
    expect(first.posReference).toMatch(/\/mine$/);
  });

  it("the client loses no line, however many write at once [INT-4]", async () => {
    const clients = await Promise.all(["a", "b", "c", "d"].map((label) => newClient(label)));
    const { posReference } = await (clients[0] as IntegrationClient).createOrder(takeout);
    await Promise.all(
      clients.map(async (client, writer) => {
        for (let n = 0; n < 3; n += 1) {
          const id = `${writer}-${n}`;
          await client.updateOrder(posReference, ({ snapshot }) => ({
            lines: [...linesOf(snapshot), { ...coffee, id }],
          }));
        }
      }),
    );
    const { version, snapshot } = await (clients[0] as IntegrationClient).order(posReference);
    expect(version).toBe(13);
    expect(snapshot.lines).toHaveLength(13);
    expect(snapshot.totals).toEqual({ subtotal: 1300, tax: 234, total: 1534 });
    const done = await (clients[1] as IntegrationClient).updateOrder(posReference, () => null);
    expect(done.version).toBe(13);
  });
});

describe("lines", () => {
  it("linesOf returns what a PATCH accepts and nothing else [INT-5]", () => {
    const lines = linesOf({
      lines: [
        { id: "a", productId: 7, quantity: 2, kitchenSentAt: "x", sentQuantity: 2, note: null, discount: 5 },
        { id: "b", productId: "8", quantity: 0 },
        {
          id: "c",
          productId: "9",
          quantity: 1,
          unitPrice: 3,
          total: 3,
          taxIds: [1],
          taxAmount: 1,
          specialRequest: "s",
        },
      ],
    });
    expect(lines).toEqual([
      { id: "a", productId: "7", quantity: 2, unitPrice: 0, total: 0, taxIds: [], taxAmount: 0 },
      {
        id: "c",
        productId: "9",
        quantity: 1,
        unitPrice: 3,
        total: 3,
        taxIds: ["1"],
        taxAmount: 1,
        specialRequest: "s",
      },
    ]);
  });
});

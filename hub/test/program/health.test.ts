import { hostname, networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

describe("GET /health", () => {
  it("/health reports terminals, leases, orders, forwarding and the last back-office answer [HUB-20, HUB-21]", async () => {
    const hub = await startTestHub();
    const health = async () => (await hub.send("GET", "/health")).body;
    await until("the back-office to be heard", async () => (await health()).lastErpSync);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await hub.terminal({ deviceId: "other" });
    for (const posReference of ["A", "B"]) {
      await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
    }
    await till.request({ type: "LEASE_ACQUIRE", posReference: "A" });
    await till.change({ type: "ORDER_DISCARD", posReference: "B", baseVersion: 1 });
    const answer = await hub.send("GET", "/health");
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toContain("application/json");
    expect(answer.body).toEqual({
      status: "ok",
      reasons: [],
      uptime: expect.any(Number),
      connectedTerminals: 2,
      activeLeases: 1,
      orders: 1,
      pendingForward: 0,
      totalForwarded: 0,
      lastErpSync: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  it("/health still counts webhooks after the last key was deleted [HUB-46]", async () => {
    const hub = await startTestHub();
    const health = async () => (await hub.send("GET", "/health")).body;
    const overview = async () => (await operatorOf(hub)("overview")).body.webhooks;
    expect(await health()).not.toHaveProperty("webhookPending");
    expect(await overview()).toBeNull();
    const { keyId } = await hub.createKey();
    const counters = { webhookPending: 0, webhookDeadLettered: 0 };
    expect(await health()).toMatchObject(counters);
    expect((await hub.admin().delete(`/${keyId}`)).status).toBe(200);
    expect(await health()).toMatchObject(counters);
    await hub.restart();
    expect(await health()).toMatchObject(counters);
    expect(await overview()).toMatchObject({ pending: 0, deadLettered: 0 });
  });

  it("/health reports a back-office that never answered [HUB-22, HUB-23]", async () => {
    const hub = await startTestHub({ env: { ERP_URL: "http://127.0.0.1:9", HUB_DEV_AUTH: "true" } });
    const report = await until("the first failure", async () => {
      const { body } = await hub.send("GET", "/health");
      return body.reasons.includes("back_office_unreachable") && body;
    });
    expect(report).toMatchObject({
      status: "degraded",
      reasons: ["back_office_unreachable", "dev_auth"],
      lastErpSync: null,
    });
  });

  it("/health reports missing credentials [HUB-4, HUB-22]", async () => {
    for (const env of [{ ERP_USER: "" }, { ERP_PASSWORD: "" }]) {
      const hub = await startTestHub({ env });
      expect((await hub.send("GET", "/health")).body).toMatchObject({
        status: "degraded",
        reasons: ["no_credentials"],
      });
    }
  });

  const unknownDatabase = {
    jsonrpc: "2.0",
    error: { code: 200, message: "", data: { name: "odoo.exceptions.AccessError" } },
  };

  it.each([
    { how: "in Odoo's words", path: "/quirks", body: { tooManyLoginFailures: true } },
    { how: "with 401", path: "/faults", body: { faults: [{ path: "*", action: "status", status: 401, body: {} }] } },
    {
      how: "for its database",
      path: "/faults",
      body: { faults: [{ path: "/web/session/*", action: "status", status: 200, body: unknownDatabase }] },
    },
  ])(
    "/health reports that the back-office refuses the hub's sign-in $how, until it accepts it [HUB-153]",
    async (refusal) => {
      const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
      const reasons = async () => (await hub.send("GET", "/health")).body.reasons;
      await until("an answer", async () => (await hub.send("GET", "/health")).body.lastErpSync);
      await hub.backOffice.control("POST", refusal.path, refusal.body);
      await hub.backOffice.control("DELETE", "/user-sessions");
      await until("the refusal", async () => (await reasons()).includes("credentials_refused"));
      expect((await hub.send("GET", "/health")).body).toMatchObject({
        status: "degraded",
        reasons: ["credentials_refused"],
      });
      await hub.backOffice.control("DELETE", refusal.path);
      await until("a sign-in", async () => (await reasons()).length === 0);
    },
  );

  it("/health keeps the time of the last back-office answer during an outage [HUB-23]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    await until("an answer", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    await hub.backOffice.kill();
    const { lastErpSync } = await until("it to be gone", async () => {
      const { body } = await hub.send("GET", "/health");
      return body.reasons.includes("back_office_unreachable") && body;
    });
    expect(lastErpSync).toEqual(expect.any(String));
  });

  it("/health keeps the time of the last back-office answer through a restart during an outage [HUB-23]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    const last = async () => (await hub.send("GET", "/health")).body.lastErpSync;
    const first = await until("an answer", last);
    await until("another answer", async () => (await last()) !== first);
    await hub.backOffice.kill();
    await until("it to be gone", async () =>
      (await hub.send("GET", "/health")).body.reasons.includes("back_office_unreachable"),
    );
    const before = await last();
    await hub.restart();
    expect(await last()).toBe(before);
    const overview = await hub.send("GET", "/operator/v1/overview");
    expect(overview.body.backOffice.lastSyncAt).toBe(before);
  });
});

describe("other paths and hosts", () => {
  it("the root serves a page, and unknown paths return JSON errors [HUB-24]", async () => {
    const hub = await startTestHub();
    const page = await hub.send("GET", "/", { headers: { Accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toContain("text/html");
    for (const target of ["/nowhere", "/../hub.ts", "/%2e%2e/package.json", "/assets/..%2f..%2fpackage.json"]) {
      const answer = await hub.send("GET", target);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: expect.any(String), errorCode: "NOT_FOUND" });
    }
  });

  it("requests for a foreign host are refused, to every client [HUB-25]", async () => {
    const hub = await startTestHub({ env: { HUB_ALLOWED_HOSTS: "pos.example, Till.example" } });
    const ask = async (Host: string, path = "/", overrides: Record<string, string> = {}) =>
      (await hub.send("GET", path, { headers: { Host, ...overrides } })).status;
    const read = ["/", "/operator/v1/overview", "/operator/v1/floor-plan", "/operator/v1/stream", "/external/docs"];
    for (const path of [...read, "/external-keysmith", "/nowhere"]) {
      expect(await ask("evil.example", path)).toBe(421);
      expect(await ask(`evil.example:${hub.port}`, path, { "Sec-Fetch-Site": "same-origin" })).toBe(421);
    }
    for (const host of ["10.1.2.3:8766", "evil.local", "localhost.evil.example", "[::2]", "a b"]) {
      expect([host, await ask(host)]).toEqual([host, 421]);
    }
    const own = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).filter((each) => each.family === "IPv4"),
    );
    const names = [
      "localhost",
      hostname(),
      `${hostname().toUpperCase()}.local`,
      "pos.example",
      "till.example",
      "[::1]",
    ];
    for (const host of [...names, ...own.map((each) => each.address)]) {
      expect(await ask(`${host}:${hub.port}`)).toBe(200);
    }
  });

  it("/health and routes that need a key or token are served for any host [HUB-25]", async () => {
    const hub = await startTestHub();
    const headers = { Host: "evil.example", "Sec-Fetch-Site": "same-origin" };
    expect((await hub.send("GET", "/health", { headers })).status).toBe(200);
    expect((await hub.send("GET", "/external/v1/orders", { headers })).status).toBe(401);
    expect((await hub.send("GET", "/external-keys", { headers })).status).toBe(401);
    const manager = { ...headers, Authorization: `Bearer ${await hub.signIn("manager")}` };
    expect((await hub.send("GET", "/external-keys", { headers: manager })).body).toEqual({ keys: [] });
  });
});

import { createConnection } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Scope } from "@comanda/protocol";
import { takeoutOrder } from "../support/builders.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";

const unauthenticated = { status: 401, body: { error: "a valid API key is needed", errorCode: "UNAUTHENTICATED" } };

describe("keys and scopes", () => {
  it("every request without a valid key gets 401 [EXT-1]", async () => {
    const hub = await startTestHub();
    const { keyId, token } = await hub.createKey();
    const [, , secret = ""] = token.split("_");
    const wrongSecret = `hub_${keyId}_${secret.replaceAll(/[0-9a-f]/g, "0")}`;
    const invalid = [null, "", "hub_", "hub__", "nonsense", `hub_unknown_${secret}`, wrongSecret, `${token}x`, keyId];
    for (const each of invalid) {
      expect(await hub.external(each).get("/session"), String(each)).toMatchObject(unauthenticated);
    }
    expect(await hub.external(null).get("/nowhere")).toMatchObject(unauthenticated);
    expect(await hub.send("GET", "/external/v1")).toMatchObject(unauthenticated);
    expect((await hub.external(token).get("/session")).status).toBe(200);
  });

  it("a key is accepted as X-Api-Key or as a bearer token that begins with hub_ [EXT-2]", async () => {
    const hub = await startTestHub();
    const { token } = await hub.createKey();
    const bearer = (value: string) => hub.send("GET", "/external/v1/session", { headers: { Authorization: value } });
    expect((await bearer(`Bearer ${token}`)).status).toBe(200);
    expect((await bearer(`bearer ${token}`)).status).toBe(200);
    expect((await bearer(token)).status).toBe(401);
    expect((await bearer(`Bearer ${await hub.signIn("manager")}`)).status).toBe(401);
    const both = { "X-Api-Key": token, Authorization: `Bearer ${await hub.signIn("waiter")}` };
    expect((await hub.send("GET", "/external/v1/session", { headers: both })).status).toBe(200);
  });

  it("a request without the required scope gets 403 with that scope [EXT-3]", async () => {
    const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "reservations" } });
    const needs: [Scope, string, string][] = [
      ["read", "GET", "/session"],
      ["read", "GET", "/tables"],
      ["read", "GET", "/floor-plan"],
      ["read", "GET", "/orders"],
      ["read", "GET", "/orders/x"],
      ["read", "GET", "/plugins/reservations/events"],
      ["read", "GET", "/plugins/reservations/events/x"],
      ["orders:write", "POST", "/orders"],
      ["orders:write", "PATCH", "/orders/x"],
      ["webhooks:manage", "GET", "/webhooks"],
      ["webhooks:manage", "POST", "/webhooks"],
      ["webhooks:manage", "DELETE", "/webhooks/x"],
      ["webhooks:manage", "POST", "/webhooks/x/test"],
      ["plugins:write", "POST", "/plugins/reservations/events"],
      ["plugins:write", "DELETE", "/plugins/reservations/events/x"],
    ];
    const scopes: Scope[] = ["read", "orders:write", "webhooks:manage", "plugins:write"];
    for (const missing of scopes) {
      const { token } = await hub.createKey(scopes.filter((scope) => scope !== missing));
      const headers = { "X-Api-Key": token };
      for (const [scope, method, path] of needs) {
        const answer = await hub.send(method, `/external/v1${path}`, { headers });
        if (scope !== missing) expect(answer.status, `${method} ${path}`).not.toBe(403);
        else
          expect(answer, `${method} ${path}`).toMatchObject({
            status: 403,
            body: { errorCode: "FORBIDDEN", requiredScope: scope },
          });
      }
    }
  });

  it("unknown paths and methods get 404 in the JSON form [EXT-4]", async () => {
    const hub = await startTestHub();
    const { token } = await hub.createKey();
    const headers = { "X-Api-Key": token };
    const unknown = [
      ["GET", ""],
      ["GET", "/"],
      ["GET", "/nowhere"],
      ["PUT", "/orders"],
      ["DELETE", "/orders/x"],
      ["OPTIONS", "/orders"],
      ["GET", "/orders/"],
      ["GET", "/orders/a/b"],
      ["GET", "/Orders"],
      ["POST", "/session"],
    ] as const;
    for (const [method, path] of unknown) {
      expect(await hub.send(method, `/external/v1${path}`, { headers }), `${method} ${path}`).toMatchObject({
        status: 404,
        body: { errorCode: "NOT_FOUND", error: expect.any(String) },
      });
    }
  });
});

describe("the order of the checks", () => {
  it("a request is refused by the first check that fails [EXT-5]", async () => {
    const hub = await startTestHub({ env: { HUB_EXTERNAL_RATE_MAX: "12", HUB_EXTERNAL_KEY_RATE_MAX: "3" } });
    const reader = (await hub.createKey(["read"])).token;
    const writer = (await hub.createKey(["orders:write"])).token;
    const tooLarge = "x".repeat(262_145);
    const codeOf = async (method: string, path: string, token: string | null, body?: unknown): Promise<string> => {
      const headers = { ...(token !== null && { "X-Api-Key": token }), "Content-Type": "text/plain" };
      const options = body === undefined ? { headers } : { headers, body };
      return (await hub.send(method, `/external/v1${path}`, options)).body.errorCode;
    };
    // plugin gate before key
    expect(await codeOf("GET", "/plugins/reservations/events", null)).toBe("NOT_FOUND");
    // key before route
    expect(await codeOf("GET", "/nowhere", null)).toBe("UNAUTHENTICATED");
    // route before scope, scope before size
    expect(await codeOf("PUT", "/orders", reader, tooLarge)).toBe("NOT_FOUND");
    expect(await codeOf("POST", "/orders", reader, tooLarge)).toBe("FORBIDDEN");
    // size before JSON and schema
    expect(await codeOf("POST", "/orders", writer, tooLarge)).toBe("PAYLOAD_TOO_LARGE");
    expect(await codeOf("PATCH", "/orders/x", writer, "no json")).toBe("VALIDATION_ERROR");
    // schema before the rules
    expect(await codeOf("PATCH", "/orders/x", writer, {})).toBe("VALIDATION_ERROR");
    // rate of the key after the key, before the scope
    expect(await codeOf("GET", "/orders", writer)).toBe("RATE_LIMITED");
    expect(await codeOf("GET", "/orders", "hub_unknown_key")).toBe("UNAUTHENTICATED");
    expect(await codeOf("GET", "/plugins/x/events", writer)).toBe("NOT_FOUND");
    expect(await codeOf("GET", "/orders/x", reader)).toBe("NOT_FOUND");
    expect(await codeOf("GET", "/orders/x", reader)).toBe("RATE_LIMITED");
    // rate of the peer before everything
    expect(await codeOf("GET", "/plugins/x/events", null)).toBe("RATE_LIMITED");
    expect(await codeOf("GET", "/orders", null)).toBe("RATE_LIMITED");
  });

  it("the external API answers under any host name [EXT-4]", async () => {
    const hub = await startTestHub();
    const { token } = await hub.createKey();
    const headers = {
      "X-Api-Key": token,
      Host: "hub.example.test",
      Accept: "text/html",
      Origin: "http://example.test",
    };
    expect((await hub.send("GET", "/external/v1/session", { headers })).status).toBe(200);
    expect((await hub.send("GET", "/operator/v1/overview", { headers })).status).toBe(421);
  });

  it("answers have no CORS header and no Retry-After [EXT-6]", async () => {
    const hub = await startTestHub({ env: { HUB_EXTERNAL_RATE_MAX: "3" } });
    const { token } = await hub.createKey();
    const headers = { "X-Api-Key": token, Origin: "http://127.0.0.1:3000" };
    const statuses: number[] = [];
    for (const method of ["GET", "OPTIONS", "GET", "GET"]) {
      const answer = await hub.send(method, "/external/v1/session", { headers });
      statuses.push(answer.status);
      const named = Object.keys(answer.headers).filter((name) => /^access-control|^retry-after$/.test(name));
      expect(named).toEqual([]);
    }
    expect(statuses).toEqual([200, 404, 200, 429]);
  });
});

describe("rate limits ", () => {
  it("requests of a peer are limited in any 60 seconds, not counting refused ones [EXT-7]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ env: { HUB_EXTERNAL_RATE_MAX: "4" }, world: clock.world });
    const statusOf = async (headers = {}): Promise<number> =>
      (await hub.send("GET", "/external/v1/session", { headers })).status;
    expect(await statusOf()).toBe(401);
    clock.advance(30_000);
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([401, 401, 401]);
    expect([await statusOf(), await statusOf({ "X-Forwarded-For": "10.0.0.9" })]).toEqual([429, 429]);
    clock.advance(29_999);
    expect(await statusOf()).toBe(429);
    clock.advance(1);
    expect([await statusOf(), await statusOf()]).toEqual([401, 429]);
    clock.advance(30_000);
    expect([await statusOf(), await statusOf(), await statusOf(), await statusOf()]).toEqual([401, 401, 401, 429]);
  });

  it("peers are counted separately, whatever the wall clock says [EXT-7]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ env: { HUB_EXTERNAL_RATE_MAX: "1" }, world: clock.world });
    const statusOf = async (localAddress: string): Promise<number> =>
      (await hub.send("GET", "/external/v1/session", { localAddress })).status;
    expect([await statusOf("127.0.0.2"), await statusOf("127.0.0.2"), await statusOf("127.0.0.3")]).toEqual([
      401, 429, 401,
    ]);
    clock.jumpWall(3_600_000);
    expect(await statusOf("127.0.0.2")).toBe(429);
  });

  it("requests of a key are limited across all addresses [EXT-7]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ env: { HUB_EXTERNAL_KEY_RATE_MAX: "2" }, world: clock.world });
    const [first, second] = [await hub.createKey(), await hub.createKey()];
    const statusOf = async (token: string, localAddress: string): Promise<number> =>
      (await hub.send("GET", "/external/v1/tables", { headers: { "X-Api-Key": token }, localAddress })).status;
    expect([await statusOf(first.token, "127.0.0.2"), await statusOf(first.token, "127.0.0.3")]).toEqual([200, 200]);
    expect([await statusOf(first.token, "127.0.0.4"), await statusOf(second.token, "127.0.0.4")]).toEqual([429, 200]);
    clock.advance(60_000);
    expect(await statusOf(first.token, "127.0.0.2")).toBe(200);
  });

  it("a peer and a key may make 120 requests a minute by default [EXT-7]", async () => {
    const hub = await startTestHub();
    const { token } = await hub.createKey();
    const headers = { "X-Api-Key": token };
    const statuses: number[] = [];
    for (let n = 0; n < 121; n += 1) statuses.push((await hub.send("GET", "/external/v1/tables", { headers })).status);
    expect(statuses.lastIndexOf(200)).toBe(119);
    expect(statuses[120]).toBe(429);
    const elsewhere = { headers, localAddress: "127.0.0.2" };
    expect((await hub.send("GET", "/external/v1/tables", elsewhere)).body.error).toContain("key");
  });
});

describe("bodies", () => {
  const bodyOf = (size: number): string => {
    const order = takeoutOrder({ notes: "" });
    const text = JSON.stringify(order);
    // Whitespace between JSON tokens has no meaning.
    return `${" ".repeat(size - Buffer.byteLength(text))}${text}`;
  };

  it("a body of 256 KiB is accepted and one byte more is refused, also in chunks [EXT-8]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    for (const chunked of [false, true]) {
      expect((await external.post("/orders", bodyOf(262_143), { chunked })).status).toBe(201);
      expect((await external.post("/orders", bodyOf(262_144), { chunked })).status).toBe(201);
      expect(await external.post("/orders", bodyOf(262_145), { chunked })).toMatchObject({
        status: 413,
        body: { errorCode: "PAYLOAD_TOO_LARGE" },
      });
      expect((await external.post("/orders", bodyOf(900_000), { chunked })).status).toBe(413);
    }
    expect((await external.get("/orders")).body.orders).toHaveLength(4);
  });

  it("the body size is limited even where no body is needed [EXT-8]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    for (const chunked of [false, true]) {
      const test = (size: number) => external.post("/webhooks/ws_unknown/test", "x".repeat(size), { chunked });
      expect((await test(262_144)).status).toBe(404);
      expect((await test(262_145)).status).toBe(413);
    }
  });

  it("a body other than a JSON object is refused [EXT-9]", async () => {
    const hub = await startTestHub({ env: { HUB_EXTERNAL_RATE_MAX: "1000", HUB_EXTERNAL_KEY_RATE_MAX: "1000" } });
    const external = hub.external();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const bodies = ["", "{", "[]", "null", '"x"', "1", "{}x", "NaN", deep, Buffer.from([0x7b, 0xff, 0x7d])];
    for (const body of bodies) {
      expect(await external.post("/orders", body), String(body).slice(0, 20)).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
    const order = JSON.stringify(takeoutOrder());
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""]) {
      const answer = await external.post("/orders", order, { headers: { "Content-Type": type } });
      expect(answer, type).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
    }
    const charset = { headers: { "Content-Type": "application/json; charset=utf-8" } };
    expect((await external.post("/orders", order, charset)).status).toBe(201);
    expect((await external.get("/orders")).body.orders).toHaveLength(1);
  });

  it("the connection stays usable after a refusal [EXT-9]", async () => {
    const hub = await startTestHub();
    const { token } = await hub.createKey();
    const refused = `POST /external/v1/orders HTTP/1.1\r\nHost: hub\r\nContent-Length: 2\r\n\r\n{}`;
    const good = `GET /external/v1/tables HTTP/1.1\r\nHost: hub\r\nX-Api-Key: ${token}\r\nConnection: close\r\n\r\n`;
    const socket = createConnection(hub.port, "127.0.0.1");
    socket.write(refused + good);
    const answers = await text(socket);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
  });
});

describe("paths", () => {
  it("a reference in the path is decoded once [EXT-11]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const snapshot = { orderType: "takeout", lines: [] };
    for (const posReference of ["POS/2026/1", "50%2F1", "Mesa ñ 1"]) {
      await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
    }
    const external = hub.external();
    const found = async (path: string) => (await external.get(`/orders/${path}`)).body.posReference;
    expect(await found("POS%2F2026%2F1")).toBe("POS/2026/1");
    expect(await found("POS%2f2026%2f1")).toBe("POS/2026/1");
    expect(await found("50%252F1")).toBe("50%2F1");
    expect(await found(encodeURIComponent("Mesa ñ 1"))).toBe("Mesa ñ 1");
    expect((await external.get("/orders/POS%252F2026%252F1")).status).toBe(404);
    expect((await external.get("/orders/POS/2026/1")).status).toBe(404);
    for (const malformed of ["%", "%zz", "%C3", "a%2"]) {
      expect(await external.get(`/orders/${malformed}`), malformed).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
    expect(await codeOfDelete(hub, "/webhooks/%zz")).toBe("VALIDATION_ERROR");
  });
});

async function codeOfDelete(hub: TestHub, path: string): Promise<string> {
  return (await hub.external().delete(path)).body.errorCode;
}

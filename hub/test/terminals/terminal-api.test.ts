import { terminalApi, type HttpRoute, type TerminalRouteName } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { apiDocuments } from "../../build/api-documents.ts";
import { createLog } from "../../platform/log.ts";
import { realWorld } from "../../platform/world.ts";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { readBackOfficeConfig, setBackOfficeConfig } from "../support/back-office-config.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

const routes = Object.entries(terminalApi.routes) as [TerminalRouteName, HttpRoute][];

/** Waits until the hub has read the back-office once. */
function menuOf(hub: TestHub) {
  const call = terminalApiOf(hub);
  return until("the menu", async () => {
    const answer = await call("menu");
    return answer.status === 200 ? answer : null;
  });
}

async function paid(terminal: TestTerminal, posReference: string): Promise<void> {
  await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
  const payments = [{ methodId: 1, amount: 100 }];
  await terminal.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments });
}

it("the log names records of the menu that cannot be read, and reports when all can be read again [BO-306]", async () => {
  const logged: { level: string; msg: string }[] = [];
  const log = createLog("debug", { write: (line: string) => void logged.push(JSON.parse(line)) });
  const hub = await startTestHub({ world: realWorld(log), ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
  await menuOf(hub);
  const config = await readBackOfficeConfig(hub);
  const bootstrapLogs = () => logged.filter(({ msg }) => msg.includes("of bootstrap"));
  await setBackOfficeConfig(hub, {
    ...config,
    products: [...config.products, { id: 999, name: "Mofongo", price: "dear" }],
  });
  await until("the product is missed", () => bootstrapLogs().length === 1);
  await setBackOfficeConfig(hub, config);
  await until("it is read again", () => bootstrapLogs().length === 2);
  expect(bootstrapLogs()).toMatchObject([
    { level: "warn", count: 1, records: [expect.stringContaining("product 999: price")] },
    { level: "info", msg: "all records of bootstrap can be read again, and are whole" },
  ]);
});

describe("terminal API", () => {
  it("every route with terminal access needs a session, of any user [TAPI-1]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    for (const [name, { access }] of routes) {
      if (access !== "terminal") continue;
      for (const token of [null, "dead", (await hub.createKey()).token]) {
        expect(await call(name, { token }), name).toMatchObject({
          status: 401,
          body: { errorCode: "UNAUTHENTICATED" },
        });
      }
    }
    for (const login of ["waiter", "cashier", "manager"]) {
      expect((await call("menu", { token: await hub.signIn(login) })).status).toBe(200);
    }
  });

  it("requests from pages whose origin may not connect a terminal are refused [TAPI-2]", async () => {
    const hub = await startTestHub({ env: { HUB_ALLOWED_ORIGINS: "http://kiosk.example:3000" } });
    const call = terminalApiOf(hub);
    const from = (Origin: string) => call("floors", { headers: { Origin } });
    for (const origin of ["http://evil.example", "null", `http://127.0.0.1:${hub.port + 1}`]) {
      expect(await from(origin), origin).toMatchObject({ status: 403, body: { errorCode: "FORBIDDEN" } });
    }
    for (const origin of [hub.url, "tauri://localhost", hub.backOffice.url, "http://kiosk.example:3000"]) {
      const { status, headers } = await from(origin);
      expect(status, origin).toBe(200);
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  it("each refusal of a route is described in the API's document [TAPI-6]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    const unknownCustomer = { customerId: 9_999, amount: 1 };
    const { deviceKey } = (await hub.terminal()).hello;
    const refused = [
      await call("hub", { headers: { Origin: "http://evil.example" } }),
      await call("creditCheck", { body: unknownCustomer }),
      await call("creditNote", { body: { posReference: "POS/1" }, token: await hub.signIn("manager") }),
      await call("print", { body: { deviceKey, document: "bill", posReference: "POS/1" } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 404, 404, 404]);
  });

  it("the hub's id and name are readable by every origin that may connect a terminal [DESK-81]", async () => {
    const hub = await startTestHub({ env: { HUB_NAME: "La Terraza" } });
    const call = terminalApiOf(hub);
    const { hubId } = (await hub.terminal()).hello;
    const answer = await call("hub");
    expect(answer).toMatchObject({ status: 200, body: { hubId, name: "La Terraza" } });
    expect(await call("hub", { headers: { Origin: "app://terminal" } })).toMatchObject({ status: 200 });
    expect(await call("hub", { headers: { Origin: "http://evil.example" } })).toMatchObject({ status: 403 });
  });

  it("unknown routes, too large bodies and invalid JSON are answered as by the other APIs [TAPI-3]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    expect(await hub.send("GET", "/terminal/v1/nothing")).toMatchObject({
      status: 404,
      body: { errorCode: "NOT_FOUND" },
    });
    expect(await hub.send("POST", "/terminal/v1/menu")).toMatchObject({ status: 404 });
    const large = { login: "waiter", password: "x".repeat(5_000) };
    expect(await call("signIn", { body: large })).toMatchObject({
      status: 413,
      body: { errorCode: "PAYLOAD_TOO_LARGE" },
    });
    expect(await call("setPin", { body: "{" })).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
  });

  it("an address may send 600 requests a minute [TAPI-4]", async () => {
    const hub = await startTestHub();
    const ask = (): Promise<number> => hub.send("GET", "/terminal/v1/menu").then((answer) => answer.status);
    const answers = await Promise.all(Array.from({ length: 601 }, ask));
    expect(answers.filter((status) => status === 401)).toHaveLength(600);
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
  });

  it("a known session works during an outage, and an ended one does not [TAPI-5]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = terminalApiOf(hub);
    await menuOf(hub);
    const ended = (await call("signIn", { body: { login: "cashier", password: "cashier" } })).body.token;
    await hub.backOffice.kill();
    expect((await call("signOut", { token: ended })).body).toEqual({ signedOut: true, backOffice: "pending" });
    expect((await call("menu")).status).toBe(200);
    expect((await call("menu", { token: ended })).status).toBe(401);
    expect(await call("menu", { token: "never-seen" })).toMatchObject({
      status: 503,
      body: { errorCode: "UPSTREAM_UNAVAILABLE" },
    });
  });

  it("the hub serves the terminal API's OpenAPI document and a page that shows it [TAPI-6]", async () => {
    const hub = await startTestHub();
    const generated = apiDocuments().terminal;
    const file = await hub.send("GET", "/terminal/v1/openapi.json");
    expect(file.status).toBe(200);
    expect(`${JSON.stringify(file.body, null, 2)}\n`).toBe(generated);
    expect(await hub.send("GET", "/terminal/v1/docs")).toMatchObject({
      status: 200,
      body: expect.stringContaining("<script src="),
    });
    const document = JSON.parse(generated) as { paths: Record<string, object> };
    const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(new Set(described.map((operation) => operation.operationId))).toEqual(new Set(routes.map(([name]) => name)));
  });
});

describe("signing in", () => {
  it("signing in opens a session for a user of any role, for AUTH and the other routes [TAPI-10]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    for (const [login, permissions] of [
      ["waiter", []],
      ["manager", ["refund"]],
    ] as const) {
      const { status, body } = await call("signIn", { body: { login, password: login }, token: null });
      expect(status).toBe(200);
      expect(body).toEqual({
        token: expect.any(String),
        user: { id: expect.any(Number), name: expect.any(String), role: login, permissions },
      });
      expect((await call("menu", { token: body.token })).status).toBe(200);
    }
    const stale = { headers: { Authorization: "Bearer dead" }, body: { login: "waiter", password: "waiter" } };
    expect((await call("signIn", stale)).status).toBe(200);
  });

  it("wrong passwords are refused, and too many from one address over both APIs [TAPI-11]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    const wrong = { login: "cashier", password: "wrong" };
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await call("signIn", { body: wrong })).toMatchObject({
        status: 401,
        body: { errorCode: "UNAUTHENTICATED" },
      });
      expect((await operatorOf(hub)("signIn", { body: wrong, token: null })).status).toBe(401);
    }
    const right = { login: "cashier", password: "cashier" };
    expect(await call("signIn", { body: right })).toMatchObject({ status: 429, body: { errorCode: "RATE_LIMITED" } });
    expect((await operatorOf(hub)("signIn", { body: right, token: null })).status).toBe(429);
  });

  it("signing out ends a session for good [TAPI-12]", async () => {
    const call = terminalApiOf(await startTestHub());
    const { token } = (await call("signIn", { body: { login: "waiter", password: "waiter" } })).body;
    expect((await call("signOut", { token })).body).toEqual({ signedOut: true });
    expect((await call("menu", { token })).status).toBe(401);
  });
});

describe("menu", () => {
  it("the menu is the back-office's configuration with its unknown fields, and what the hub adds [TAPI-20]", async () => {
    const stations = [{ id: "bar", name: "Bar", categoryIds: [2], productIds: [] }];
    const env = { HUB_STATIONS: JSON.stringify(stations), HUB_STATE_POLL_MS: "200" };
    const hub = await startTestHub({ env });
    const config = await readBackOfficeConfig(hub);
    const { floors: _, ncfSequences, ...menu } = config;
    const unknown = {
      ...menu,
      theme: { dark: true },
      products: menu.products.map((each) => ({ ...each, allergens: ["nut"] })),
    };
    await setBackOfficeConfig(hub, { ...config, ...unknown });
    const { body } = await until("the new menu", async () => {
      const answer = await terminalApiOf(hub)("menu");
      return "theme" in answer.body ? answer : null;
    });
    expect(body).toEqual({
      ...unknown,
      rounding: "line",
      stations: [expect.objectContaining({ id: "bar", name: "Bar" })],
      itemStates: [],
      ncfTypes: (ncfSequences as { type: string }[]).map(({ type }) => type),
      menuVersion: expect.any(String),
      asOf: expect.any(String),
    });
  });

  it("the menu names the fiscal number types, and gets a new version when they change [TAPI-26]", async () => {
    const hub = await startTestHub({ env: { HUB_STATE_POLL_MS: "200" } });
    const { body } = await menuOf(hub);
    expect(body.ncfTypes).toEqual(["B01", "B02", "B04", "E31", "E32", "E34"]);
    const terminal = await hub.terminal();
    const config = await readBackOfficeConfig(hub);
    const sequence = (type: string, left: number) => ({ type, prefix: type, left, expiresOn: null });
    await setBackOfficeConfig(hub, { ...config, ncfSequences: body.ncfTypes.map((type: string) => sequence(type, 7)) });
    await until("the used numbers", async () => {
      const { body: numbers } = await operatorOf(hub)("fiscal");
      return numbers.sequences?.[0]?.left === 7;
    });
    expect((await terminalApiOf(hub)("menu")).body.menuVersion).toBe(body.menuVersion);
    await setBackOfficeConfig(hub, { ...config, ncfSequences: [sequence("E32", 7)] });
    const { menuVersion } = await terminal.next("MENU_CHANGED");
    expect(menuVersion).not.toBe(body.menuVersion);
    expect((await terminalApiOf(hub)("menu")).body).toMatchObject({ menuVersion, ncfTypes: ["E32"] });
    const { ncfSequences: _, ...withoutSequences } = config;
    await setBackOfficeConfig(hub, withoutSequences);
    await terminal.next("MENU_CHANGED");
    expect((await terminalApiOf(hub)("menu")).body).not.toHaveProperty("ncfTypes");
  });

  it("the menu is answered with 304 for its ETag until it changes [TAPI-21]", async () => {
    const hub = await startTestHub({ env: { HUB_STATE_POLL_MS: "200" } });
    const call = terminalApiOf(hub);
    const { headers, body } = await menuOf(hub);
    const etag = String(headers["etag"]);
    // The headers that `fetch` sends, also in browsers.
    const fetched = { "If-None-Match": `"other", ${etag}`, "Cache-Control": "no-cache", Pragma: "no-cache" };
    const again = await call("menu", { headers: fetched });
    expect(again).toMatchObject({ status: 304, headers: { etag } });
    expect(again.body).toBeUndefined();
    const config = await readBackOfficeConfig(hub);
    await setBackOfficeConfig(hub, { ...config, floors: [], products: config.products.slice(1) });
    const changed = await until("another menu", async () => {
      const answer = await call("menu", { headers: { "If-None-Match": etag } });
      return answer.status === 200 ? answer : null;
    });
    expect(changed.body.products).toHaveLength(body.products.length - 1);
    expect(changed.body.menuVersion).not.toBe(body.menuVersion);
    expect(changed.headers["etag"]).not.toBe(etag);
  });

  it("the menu's version is in AUTH_OK, and in MENU_CHANGED when it changes [TAPI-22]", async () => {
    const hub = await startTestHub({ env: { HUB_STATE_POLL_MS: "200" } });
    const { body } = await menuOf(hub);
    const terminal = await hub.terminal();
    expect(terminal.hello.menuVersion).toBe(body.menuVersion);
    const config = await readBackOfficeConfig(hub);
    const [first, ...others] = config.products;
    await setBackOfficeConfig(hub, { ...config, products: [{ ...first, price: 1 }, ...others] });
    const { menuVersion } = await terminal.next("MENU_CHANGED");
    expect(menuVersion).not.toBe(body.menuVersion);
    expect((await terminalApiOf(hub)("menu")).body).toMatchObject({ menuVersion });
  });

  it("the menu has another version with other stations [TAPI-22]", async () => {
    const env = { HUB_STATIONS: JSON.stringify([{ id: "bar", name: "Bar" }]) };
    const versions = [await menuOf(await startTestHub()), await menuOf(await startTestHub({ env }))].map(
      ({ body }) => body.menuVersion,
    );
    expect(versions[0]).not.toBe(versions[1]);
  });

  it("the menu and floors are served from the last copy during an outage, after a restart too [TAPI-23]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = terminalApiOf(hub);
    const { body } = await menuOf(hub);
    await hub.backOffice.kill();
    const menu = (await call("menu")).body;
    expect(menu).toMatchObject({ products: body.products, menuVersion: body.menuVersion });
    const floors = (await call("floors")).body;
    await hub.restart();
    expect(await call("menu")).toMatchObject({ status: 200, body: menu });
    expect((await call("floors")).body).toEqual(floors);
  });

  it("the menu's time is never earlier after a restart than before [TAPI-23]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const call = terminalApiOf(hub);
    const { body } = await menuOf(hub);
    clock.advance(20_000);
    const later = await until("a later read", async () => {
      const { asOf } = (await call("menu")).body;
      return asOf === body.asOf ? null : String(asOf);
    });
    await hub.backOffice.kill();
    await hub.restart();
    expect((await call("menu")).body.asOf).toBe(later);
  });

  it("the menu and floors are 503 only when the back-office was never read [TAPI-24]", async () => {
    const hub = await startTestHub({ env: { ERP_USER: "" } });
    for (const name of ["menu", "floors"] as const) {
      expect(await terminalApiOf(hub)(name)).toMatchObject({
        status: 503,
        body: { errorCode: "UPSTREAM_UNAVAILABLE" },
      });
    }
  });

  it("the floors have the plan's geometry [TAPI-25]", async () => {
    const hub = await startTestHub();
    await menuOf(hub);
    const { body } = await terminalApiOf(hub)("floors");
    expect(body).toEqual({ floors: (await readBackOfficeConfig(hub))["floors"], asOf: expect.any(String) });
    expect(body.floors[0].tables[0]).toMatchObject({ x: expect.any(Number), width: expect.any(Number) });
  });
});

describe("customers", () => {
  it("customers are searched in the back-office by name, phone and RNC [TAPI-30]", async () => {
    const call = terminalApiOf(await startTestHub());
    const search = async (q: string) => (await call("customers", { query: { q } })).body;
    const ana = { id: 52, name: "Ana Lucía Méndez", rnc: "00114272360", phone: "829-555-0152", creditAllowed: true };
    for (const q of ["mendez ana", "829-555-0152", "00114272360"]) {
      expect(await search(q), q).toEqual({ customers: [ana], source: "back_office", asOf: expect.any(String) });
    }
    expect((await call("customers", { query: { q: "", limit: 2 } })).body.customers).toHaveLength(2);
    expect((await call("customers", { query: { limit: 101 } })).status).toBe(400);
  });

  it("recent customers are found during an outage, after a restart too, whatever the case and accents [TAPI-31]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = terminalApiOf(hub);
    const search = async (q: string) => (await call("customers", { query: { q } })).body;
    expect(await search("nobody")).toMatchObject({ customers: [], source: "back_office" });
    const { asOf } = await search("ana");
    await search("bahía");
    await hub.backOffice.kill();
    await hub.restart();
    for (const q of ["MENDEZ  lucia", "8295550152", "555-0152", "001 1427236 0", ""]) {
      const found = await search(q);
      expect(found, q).toMatchObject({ source: "kept", reason: "unreachable" });
      expect(
        found.customers.map((each: { name: string }) => each.name),
        q,
      ).toContain("Ana Lucía Méndez");
      expect(Date.parse(found.asOf)).toBeGreaterThanOrEqual(Date.parse(asOf) - 1_000);
    }
    expect((await search("hotel bahia")).customers).toHaveLength(1);
    expect((await search("Guzmán")).customers).toEqual([]);
    expect((await search("-")).customers).toEqual([]);
  });

  it("recent customers are returned, and marked so, when the back-office has no search [TAPI-32]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    await call("customers", { query: { q: "ana" } });
    await hub.backOffice.control("POST", "/quirks", { lacks: ["customers/search"] });
    const { body } = await call("customers", { query: { q: "a" } });
    expect(body).toMatchObject({ source: "kept", reason: "not_served", customers: [{ name: "Ana Lucía Méndez" }] });
  });
});

describe("credit", () => {
  it("credit is checked with the user's own session [TAPI-35]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    await hub.backOffice.control("DELETE", "/requests");
    const body = { customerId: 52, amount: 100 };
    expect((await call("creditCheck", { body })).body).toEqual({ eligible: true, available: expect.any(Number) });
    expect((await call("creditCheck", { body: { customerId: 52, amount: 1_000_000 } })).body.eligible).toBe(false);
    expect(await call("creditCheck", { body: { customerId: 99, amount: 1 } })).toMatchObject({
      status: 404,
      body: { errorCode: "NOT_FOUND", error: expect.stringContaining("99") },
    });
    expect(await call("creditCheck", { body: { customerId: 52, amount: -1 } })).toMatchObject({ status: 400 });
  });

  it("credit notes are refused with the back-office's own status, code and message [TAPI-36]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    const terminal = await hub.terminal({ login: "cashier" });
    await paid(terminal, "A");
    await until("the order is in the back-office", async () => {
      const { body } = await operatorOf(hub)("order", { params: { posReference: "A" } });
      return body.order.forward.state === "done";
    });
    const token = await hub.signIn("manager");
    const note = (overrides: object, login = token) => call("creditNote", { token: login, body: overrides });
    expect(await note({ pos_reference: "A" })).toMatchObject({
      status: 409,
      body: { errorCode: "ORDER_HAS_NO_NCF", error: expect.any(String) },
    });
    expect(await note({ posReference: "unknown" })).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    expect(await note({ posReference: "A" }, await hub.signIn("clerk"))).toMatchObject({
      status: 403,
      body: { errorCode: "FORBIDDEN" },
    });
    expect(await note({})).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
  });

  it("a credit check follows a rotated session, and returns 503 during an outage [TAPI-37]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = terminalApiOf(hub);
    const { token } = (await call("signIn", { body: { login: "waiter", password: "waiter" } })).body;
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "hard" });
    const body = { customerId: 52, amount: 100 };
    for (let time = 1; time <= 3; time += 1) expect((await call("creditCheck", { token, body })).status).toBe(200);
    await hub.backOffice.kill();
    expect(await call("creditCheck", { token, body })).toMatchObject({
      status: 503,
      body: { errorCode: "UPSTREAM_UNAVAILABLE" },
    });
  });
});

describe("recent orders", () => {
  it("recent orders are the paid checks of this shift, newest first, in pages [TAPI-40]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    const call = terminalApiOf(hub);
    await menuOf(hub);
    const terminal = await hub.terminal({ login: "cashier" });
    for (const posReference of ["A", "B", "C"]) await paid(terminal, posReference);
    await terminal.change({ type: "ORDER_UPSERT", posReference: "D", baseVersion: 0, snapshot: terminalSnapshot() });
    const first = (await call("recentOrders", { query: { limit: 2 } })).body;
    expect(first.orders.map((order: { posReference: string }) => order.posReference)).toEqual(["C", "B"]);
    expect(first.orders[0].snapshot).toMatchObject({ payments: [{ amount: 100 }], paidAt: expect.any(String) });
    const rest = (await call("recentOrders", { query: { limit: 2, cursor: first.nextCursor } })).body;
    expect(rest).toMatchObject({ orders: [{ posReference: "A" }], nextCursor: null, asOf: expect.any(String) });
    expect(await call("recentOrders", { query: { cursor: "x" } })).toMatchObject({ status: 400 });

    await hub.backOffice.control("POST", "/session", { open: false });
    await terminal.next("SESSION_CHANGED", ({ session }) => !session.active);
    expect((await call("recentOrders")).body.orders).toHaveLength(3);
    await hub.backOffice.control("POST", "/session", { open: true });
    await terminal.next("SESSION_CHANGED", ({ session }) => session.active);
    expect((await call("recentOrders")).body.orders).toEqual([]);
  });
});

describe("Android updates", () => {
  const release = {
    version: "1.4.0",
    notes: "Nuevo",
    pub_date: "2026-11-20T10:00:00Z",
    url: "https://files.example/b.apk",
  };
  const publish = (hub: TestHub, published: object | null) =>
    hub.backOffice.control("POST", "/releases", { target: "android", release: published });
  const check = (hub: TestHub, version: string) =>
    hub.send("GET", `/terminal/v1/android-update?version=${encodeURIComponent(version)}`);

  it("the Android check returns the back-office's newer release, without a token [TAPI-126]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    expect(await check(hub, "1.3.0")).toMatchObject({ status: 200, body: { update: null } });
    await publish(hub, { ...release, signature: "c2ln" });
    expect((await check(hub, "1.3.0+7")).body).toEqual({ update: release });
    expect((await check(hub, "1.4.0")).body).toEqual({ update: null });
    expect(await check(hub, "../../x")).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });

    const path = "/pos-api/v1/updates/check/android/aarch64/1.3.0";
    const fault = { path, action: "status", status: 404, body: {} };
    await hub.backOffice.control("POST", "/faults", { faults: [fault] });
    expect(await check(hub, "1.3.0")).toMatchObject({ status: 503, body: { errorCode: "UPSTREAM_UNAVAILABLE" } });
    await hub.backOffice.kill();
    expect(await check(hub, "1.3.0")).toMatchObject({ status: 503, body: { errorCode: "UPSTREAM_UNAVAILABLE" } });
  });
});

import { readFileSync } from "node:fs";
import { operatorRoutes, type HttpRoute, type OperatorRouteName } from "@comanda/protocol";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { takeoutOrder } from "../support/builders.ts";
import { startFaultyLine } from "../support/faulty-line.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openStream, operatorOf, type OperatorInput } from "../support/operator.ts";
import { send } from "../support/send.ts";
import { startTestHub, type TestHubOptions } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const PIN = "258025";

const unavailable = { status: 503, body: { errorCode: "UPSTREAM_UNAVAILABLE" } };
const unauthenticated = { status: 401, body: { errorCode: "UNAUTHENTICATED" } };
const forbidden = { status: 403, body: { errorCode: "FORBIDDEN" } };
const needsAccount = { status: 403, body: { errorCode: "CONFIRMATION_NEEDED" } };
const tooMany = { status: 429, body: { errorCode: "RATE_LIMITED" } };

/** Valid inputs for the routes that need a confirmation, so only the confirmation is missing. */
const confirmedCalls: [OperatorRouteName, OperatorInput][] = [
  ["enrolInChain", { body: { address: "https://127.0.0.1:9", code: "ABCD2345" } }],
  ["leaveChain", {}],
  ["createKey", { body: { label: "Kiosk", scopes: ["read"] } }],
  ["updateKey", { params: { keyId: "k" }, body: { enabled: true } }],
  ["deleteKey", { params: { keyId: "k" } }],
  ["createWebhook", { body: { url: "http://127.0.0.1:9/x", events: ["*"] } }],
  ["setWebhookSecret", { params: { webhookId: "1" }, body: {} }],
  ["changeSettings", { body: { values: { ERP_URL: "http://127.0.0.1:1", ERP_PASSWORD: "x" } } }],
  ["restoreBackup", { params: { name: "b" }, body: { confirm: "b" } }],
  ["downloadBackup", { params: { name: "b" } }],
  [
    "refund",
    {
      params: { posReference: "A/1" },
      body: { refundId: crypto.randomUUID(), reason: "Queja", refund: [{ methodId: 1, amount: 100 }] },
    },
  ],
  ["setPin", { body: { pin: PIN } }],
];

/** Starts a hub with a manual clock behind a line that can be cut, and a manager who has signed in and set a PIN. */
async function startOffline(options: TestHubOptions = {}) {
  const clock = manualClock();
  const line = await startFaultyLine();
  const hub = await startTestHub({ ...options, line, world: { ...clock.world, ...options.world } });
  await until("the back-office to be reached", async () => (await hub.send("GET", "/health")).body.lastErpSync);
  const call = operatorOf(hub);
  const signIn = async (login = "manager") =>
    (await call("signIn", { body: { login, password: login }, token: null })).body;
  const { token, user } = await signIn();
  expect((await call("setPin", { token, body: { pin: PIN } })).body).toEqual({ set: true });
  const withPin = (login: string, pin: string, localAddress?: string) =>
    call("signInWithPin", { body: { login, pin }, token: null, ...(localAddress !== undefined && { localAddress }) });
  return {
    hub,
    line,
    clock,
    call,
    signIn,
    token: token as string,
    user: user as { id: number; name: string },
    withPin,
    /** Advances the clock in small steps so that stream readers keep up. */
    async advanceSlowly(ms: number) {
      for (let passed = 0; passed < ms; passed += 10 * SECOND) {
        clock.advance(10 * SECOND);
        await hub.send("GET", "/health");
      }
    },
    /** Cuts the line and makes a call so that the hub notices. */
    async goOffline() {
      await line.down();
      expect(await call("signIn", { body: { login: "x", password: "x" }, token: null })).toMatchObject(unavailable);
      expect((await overview()).backOffice.state).toBe("unreachable");
    },
    async heal() {
      await line.up();
      await until("the hub to notice", async () => {
        clock.advance(15 * SECOND);
        return (await overview()).backOffice.state === "reachable";
      });
    },
  };

  async function overview() {
    return (await call("overview", { token: null })).body as { backOffice: { state: string } };
  }
}

describe("a manager during an outage", () => {
  it("a manager's session reads and works for 24 h after its last confirmation, over a restart too [OP-5]", async () => {
    const { hub, clock, call, token, goOffline } = await startOffline();
    const { body: external } = await hub.external().post("/orders", takeoutOrder());
    await goOffline();
    clock.advance(23 * HOUR);
    await hub.restart();
    for (const name of ["me", "orders", "terminals", "closing", "settings", "logs", "audit", "webhooks"] as const) {
      expect((await call(name, { token })).status, name).toBe(200);
    }
    expect((await call("order", { token, params: { posReference: external.posReference } })).status).toBe(200);
    expect((await call("makeBackup", { token })).status).toBe(201);
    expect((await call("overview", { token })).body).toHaveProperty("detail");
    clock.advance(HOUR + SECOND);
    expect(await call("orders", { token })).toMatchObject(unavailable);
    expect((await call("overview", { token })).body).not.toHaveProperty("detail");
  });

  it("routes that need a confirmation are refused a minute after the last one [OP-150]", async () => {
    const { clock, call, token, goOffline } = await startOffline();
    const marked = Object.entries<HttpRoute>(operatorRoutes).filter(([, route]) => route.needsConfirmation);
    expect(marked.map(([name]) => name).toSorted()).toEqual(confirmedCalls.map(([name]) => name).toSorted());
    await goOffline();
    clock.advance(61 * SECOND);
    for (const [name, input] of confirmedCalls) {
      expect(await call(name, { ...input, token }), name).toMatchObject(unavailable);
    }
    const { settings } = (await call("settings", { token })).body;
    expect(settings.find(({ name }: { name: string }) => name === "ERP_PASSWORD")).toMatchObject({ set: true });
    expect((await call("webhooks", { token })).body.webhooks).toEqual([]);
    expect((await call("keys", { token })).body.keys).toEqual([]);
    // Other settings need no confirmation; this change is refused for its own reason.
    expect(await call("changeSettings", { token, body: { values: { HUB_NAME: "x" } } })).toMatchObject({ status: 400 });
  });

  it("routes that need a confirmation work within a minute of the last one [OP-150]", async () => {
    const { clock, call, token, goOffline } = await startOffline();
    await goOffline();
    clock.advance(59 * SECOND);
    expect((await call("createWebhook", { token, body: { url: "http://127.0.0.1:9/x", events: ["*"] } })).status).toBe(
      201,
    );
    clock.advance(2 * SECOND);
    expect(await call("createWebhook", { token, body: { url: "http://127.0.0.1:9/y", events: ["*"] } })).toMatchObject(
      unavailable,
    );
  });

  it("a refused token, and its session's earlier tokens, are refused during an outage [OP-151]", async () => {
    const { hub, line, clock, call, token, goOffline } = await startOffline();
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "soft", date: "none" });
    clock.advance(11 * SECOND);
    const rotated = (await call("me", { token })).body.token as string;
    expect(rotated).not.toBe(token);
    await hub.backOffice.control("DELETE", "/user-sessions");
    clock.advance(11 * SECOND);
    expect(await call("orders", { token: rotated })).toMatchObject(unauthenticated);
    await goOffline();
    await hub.restart();
    for (const dead of [token, rotated]) expect((await call("orders", { token: dead })).status).not.toBe(200);
    await line.up();
  });

  it("a manager who signed out is refused during an outage [OP-151]", async () => {
    const { call, token, goOffline } = await startOffline();
    await goOffline();
    expect((await call("signOut", { token })).body).toEqual({ signedOut: true, backOffice: "pending" });
    expect(await call("orders", { token })).toMatchObject(unauthenticated);
  });

  it("a known outage fails calls at once, without waiting for the back-office [OP-152]", async () => {
    const { line, clock, call, token, goOffline } = await startOffline();
    await goOffline();
    line.faults(() => ({ kind: "hang" }));
    await line.up();
    clock.advance(5 * MINUTE);
    const before = line.requests.filter(({ path }) => path === "/web/session/get_session_info").length;
    expect((await call("orders", { token })).status).toBe(200);
    expect(await call("restoreBackup", { token, params: { name: "b" }, body: { confirm: "b" } })).toMatchObject(
      unavailable,
    );
    expect(line.requests.filter(({ path }) => path === "/web/session/get_session_info")).toHaveLength(before);
    await line.down();
  });

  it("a manager's stream continues through an outage, and ends when the session turns out to be dead [OP-153]", async () => {
    const { hub, clock, token, goOffline, line, advanceSlowly } = await startOffline();
    const { token: key } = await hub.createKey();
    const stream = await openStream(hub, { token });
    expect(await stream.next("hello")).toMatchObject({ audience: "manager" });
    await goOffline();
    await advanceSlowly(10 * MINUTE);
    const { body } = await hub.external(key).post("/orders", takeoutOrder());
    clock.advance(SECOND);
    expect((await stream.changed("orders")).orders).toEqual([body.posReference]);
    const again = await openStream(hub, { token });
    expect(await again.next("hello")).toMatchObject({ audience: "manager" });
    await send(hub.backOffice.url, "DELETE", "/stub/v1/user-sessions");
    await line.up();
    const advancing = setInterval(() => clock.advance(5 * SECOND), 20);
    await Promise.all([stream.next("signed_out"), again.next("signed_out")]).finally(() => clearInterval(advancing));
  });

  it("a manager lists keys and disables one during an outage [OP-154]", async () => {
    const { hub, clock, call, token, goOffline } = await startOffline();
    const { keyId, token: key } = await hub.createKey();
    await goOffline();
    clock.advance(5 * MINUTE);
    expect((await call("keys", { token })).body.keys).toMatchObject([{ keyId, enabled: true }]);
    expect((await call("disableKey", { token, params: { keyId } })).body).toEqual({ keyId, enabled: false });
    expect((await hub.external(key).get("/orders")).status).toBe(401);
    expect(await call("disableKey", { token, params: { keyId: "none" } })).toMatchObject({ status: 404 });
    const { entries } = (await call("audit", { token })).body;
    expect(entries[0]).toMatchObject({ action: "key.disable", target: keyId });
  });
});

describe("PIN sessions", () => {
  it("a manager signs in with a PIN for 12 h during an outage, by login or name [OP-155]", async () => {
    const { clock, call, token, user, withPin, goOffline } = await startOffline();
    await call("signOut", { token });
    await goOffline();
    for (const login of ["manager", " MANAGER ", user.name, user.name.toUpperCase()]) {
      expect((await withPin(login, PIN)).body.user, login).toMatchObject({ id: user.id, role: "manager" });
    }
    const opened = (await withPin("manager", PIN)).body;
    expect(Date.parse(opened.pinUntil) - clock.world.clock.now()).toBe(12 * HOUR);
    expect((await call("me", { token: opened.token })).body).toMatchObject({
      user: { id: user.id, permissions: ["refund"] },
      pinUntil: opened.pinUntil,
      hasPin: true,
    });
    expect((await call("audit", { token: opened.token })).body.entries[0]).toMatchObject({
      userName: user.name,
      action: "person.pin_sign_in",
      target: String(user.id),
      note: { words: "127.0.0.1" },
    });
    clock.advance(12 * HOUR - SECOND);
    expect((await call("orders", { token: opened.token })).status).toBe(200);
    clock.advance(SECOND);
    expect(await call("orders", { token: opened.token })).toMatchObject(unauthenticated);
  });

  it("a PIN sign-in is refused without an outage: the account is required [OP-155]", async () => {
    const { withPin, goOffline, heal } = await startOffline();
    expect(await withPin("manager", PIN)).toMatchObject(needsAccount);
    await goOffline();
    expect((await withPin("manager", PIN)).status).toBe(200);
    await heal();
    expect(await withPin("manager", PIN)).toMatchObject(needsAccount);
  });

  it("a PIN session ends 24 h after the person's last confirmation [OP-155]", async () => {
    const { clock, call, withPin, goOffline } = await startOffline();
    await goOffline();
    clock.advance(22 * HOUR);
    const { token, pinUntil } = (await withPin("manager", PIN)).body;
    expect(Date.parse(pinUntil) - clock.world.clock.now()).toBeLessThanOrEqual(2 * HOUR);
    expect((await call("orders", { token })).status).toBe(200);
    clock.advance(2 * HOUR);
    expect(await call("orders", { token })).toMatchObject(unauthenticated);
    expect(await withPin("manager", PIN)).toMatchObject(unavailable);
    expect(await withPin("manager", "0000")).toMatchObject(unauthenticated);
  });

  it("a PIN that is not a manager's is refused like a wrong one, and counts as a miss [OP-155, OP-220]", async () => {
    const { hub, call, token, withPin, goOffline } = await startOffline();
    await terminalApiOf(hub)("setPin", { token: await hub.signIn("cashier"), body: { pin: "4711" } });
    await goOffline();
    const right = await withPin("cashier", "4711", "127.0.0.2");
    const wrong = await withPin("cashier", "4712", "127.0.0.3");
    expect(right).toMatchObject(unauthenticated);
    expect(right.body).toEqual(wrong.body);
    for (const from of [4, 5, 6]) await withPin("cashier", "4711", `127.0.0.${from}`);
    expect(await withPin("cashier", "4711", "127.0.0.7")).toMatchObject(tooMany);
    const { people } = (await call("people", { token })).body;
    expect(people).toContainEqual(
      expect.objectContaining({ role: "cashier", locked: [{ terminalId: "screens:hub", until: expect.any(String) }] }),
    );
  });

  it("a PIN session may do everything that needs no confirmation, during and after the outage [OP-156]", async () => {
    const { hub, call, withPin, goOffline, heal } = await startOffline();
    await goOffline();
    const { token } = (await withPin("manager", PIN)).body;
    const stream = await openStream(hub, { token });
    expect(await stream.next("hello")).toMatchObject({ audience: "manager" });
    const check = async () => {
      for (const name of ["orders", "terminals", "closing", "settings", "keys"] as const) {
        expect((await call(name, { token })).status, name).toBe(200);
      }
      expect((await call("makeBackup", { token })).status).toBe(201);
      for (const [name, input] of confirmedCalls) {
        expect(await call(name, { ...input, token }), name).toMatchObject(needsAccount);
      }
      expect(
        await hub.send("GET", "/terminal/v1/menu", { headers: { Authorization: `Bearer ${token}` } }),
      ).toMatchObject(needsAccount);
    };
    await check();
    await heal();
    await check();
  });

  it("a PIN session's token is never sent to the back-office [OP-156]", async () => {
    const { hub, line, call, withPin, goOffline, heal } = await startOffline();
    await goOffline();
    const { token } = (await withPin("manager", PIN)).body;
    await heal();
    await call("orders", { token });
    await hub.admin(token).get("");
    await hub.send("GET", "/terminal/v1/menu", { headers: { Authorization: `Bearer ${token}` } });
    expect(line.requests.filter(({ headers }) => headers["cookie"]?.includes(token))).toEqual([]);
  });

  it("a wrong PIN, an unknown name and a person without a PIN get the same answer [OP-157]", async () => {
    const { hub, withPin, goOffline } = await startOffline();
    await hub.terminal({ login: "waiter" });
    await goOffline();
    const answers = [
      await withPin("manager", "0000", "127.0.0.2"),
      await withPin("nobody", PIN, "127.0.0.3"),
      await withPin("waiter", PIN, "127.0.0.4"),
    ];
    for (const answer of answers) expect(answer).toMatchObject(unauthenticated);
    expect(new Set(answers.map(({ body }) => body.error)).size).toBe(1);
  });

  it("five misses lock the person and the address for 5 minutes, for unknown names alike [OP-157]", async () => {
    const { hub, clock, call, withPin, goOffline, token, user } = await startOffline();
    await goOffline();
    for (const login of ["manager", "nobody"]) {
      const from = login === "manager" ? "127.0.0.2" : "127.0.0.3";
      for (let miss = 1; miss <= 5; miss += 1)
        expect(await withPin(login, "0000", from)).toMatchObject(unauthenticated);
      const refusals = [await withPin(login, PIN, from), await withPin(login, PIN, "127.0.0.4")];
      for (const refusal of refusals) expect(refusal).toMatchObject(tooMany);
    }
    const other = await withPin("clerk", PIN, "127.0.0.2");
    expect(other).toMatchObject(tooMany);
    expect((await call("people", { token })).body.people).toMatchObject([
      { id: user.id, locked: [{ terminalId: "screens:hub", until: expect.any(String) }] },
    ]);
    expect((await call("audit", { token })).body.entries).toContainEqual(
      expect.objectContaining({ action: "person.pin_locked", target: String(user.id), note: { words: "127.0.0.2" } }),
    );
    await hub.restart();
    await goOffline();
    expect(await withPin("manager", PIN, "127.0.0.5")).toMatchObject(tooMany);
    clock.advance(5 * MINUTE);
    expect((await withPin("manager", PIN, "127.0.0.2")).status).toBe(200);
  });

  it("misses at terminals do not lock a manager out at the hub's own computer [OP-157, PEOPLE-61]", async () => {
    const { hub, call, token, user, withPin, goOffline } = await startOffline();
    for (const deviceId of ["a", "b", "c", "d"]) {
      const { deviceKey } = (await hub.terminal({ login: "manager", deviceId })).hello;
      const wrong = { deviceKey, userId: user.id, pin: "000000" };
      for (let miss = 1; miss <= 5; miss += 1) await terminalApiOf(hub)("enterPin", { body: wrong });
    }
    const [{ passwordOnlyUntil }] = (await call("people", { token })).body.people;
    expect(passwordOnlyUntil).toEqual(expect.any(String));
    await goOffline();
    expect((await withPin("manager", PIN)).status).toBe(200);
  });

  it("PINs sent at once get no more attempts than one after the other [OP-157]", async () => {
    const { withPin, goOffline } = await startOffline();
    await goOffline();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => withPin("manager", String(1000 + n), `127.0.0.${n + 2}`)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  it("a PIN session survives a restart, and ends when it is signed out [OP-158]", async () => {
    const { hub, call, withPin, goOffline } = await startOffline();
    await goOffline();
    const { token } = (await withPin("manager", PIN)).body;
    const { token: other } = (await withPin("manager", PIN)).body;
    await hub.restart();
    expect((await call("orders", { token })).status).toBe(200);
    const stream = await openStream(hub, { token });
    await stream.next("hello");
    expect((await call("signOut", { token })).body).toEqual({ signedOut: true });
    await stream.next("signed_out");
    expect(await call("orders", { token })).toMatchObject(unauthenticated);
    expect((await call("orders", { token: other })).status).toBe(200);
  });

  it("a PIN session ends when the PIN is reset, and loses its rights with the person's role [OP-158]", async () => {
    const { hub, call, withPin, goOffline, heal, signIn, user, token: account } = await startOffline();
    await goOffline();
    const { token } = (await withPin("manager", PIN)).body;
    expect((await call("resetPin", { token: account, params: { userId: user.id } })).body).toEqual({ deleted: true });
    expect(await call("orders", { token })).toMatchObject(unauthenticated);
    await heal();
    await call("setPin", { token: (await signIn()).token, body: { pin: PIN } });
    await goOffline();
    const { token: demoted } = (await withPin("manager", PIN)).body;
    await heal();
    const result = { uid: user.id, name: user.name, username: "manager", pos: { role: "cashier", permissions: [] } };
    const body = { jsonrpc: "2.0", id: null, result };
    const fault = { path: "/web/session/get_session_info", action: "status", status: 200, body };
    await hub.backOffice.control("POST", "/faults", { faults: [fault] });
    expect(await call("orders", { token: account })).toMatchObject(forbidden);
    expect(
      await until("the new role", async () => {
        const answer = await call("orders", { token: demoted });
        return answer.status === 200 ? null : answer;
      }),
    ).toMatchObject(forbidden);
  });

  it("a PIN session ends after 15 minutes with the back-office, not counting outages [OP-158]", async () => {
    const { hub, clock, call, withPin, goOffline, heal, advanceSlowly } = await startOffline();
    await goOffline();
    const { token } = (await withPin("manager", PIN)).body;
    await heal();
    clock.advance(10 * MINUTE);
    expect((await call("orders", { token })).status).toBe(200);
    await goOffline();
    clock.advance(10 * MINUTE);
    expect((await call("orders", { token })).status).toBe(200);
    await heal();
    const stream = await openStream(hub, { token });
    await stream.next("hello");
    const ended = stream.next("signed_out");
    await advanceSlowly(15 * MINUTE);
    await ended;
    expect(await call("orders", { token })).toMatchObject(unauthenticated);
    await goOffline();
    expect(await call("orders", { token })).toMatchObject(unauthenticated);
  });

  it("a PIN session needs a PIN that the manager has set [OP-159]", async () => {
    const { hub, call, token, user, goOffline, withPin } = await startOffline();
    expect((await call("me", { token })).body).toMatchObject({ hasPin: true });
    const clerk = await hub.signIn("clerk");
    expect((await call("me", { token: clerk })).body).not.toHaveProperty("hasPin");
    for (const pin of ["123", "123456789", "12a4", ""]) {
      expect(await call("setPin", { token, body: { pin } })).toMatchObject({ status: 400 });
    }
    expect(await call("setPin", { token: await hub.signIn("waiter"), body: { pin: PIN } })).toMatchObject(forbidden);
    expect((await call("setPin", { token, body: { pin: "135792" } })).body).toEqual({ set: true });
    expect((await call("audit", { token })).body.entries[0]).toMatchObject({
      action: "person.set_pin",
      target: String(user.id),
    });
    await goOffline();
    expect((await withPin("clerk", PIN)).status).toBe(401);
    expect((await withPin("manager", PIN)).status).toBe(401);
    expect((await withPin("manager", "135792")).status).toBe(200);
  });

  it("a person's last confirmation and login are remembered over a restart [PEOPLE-42]", async () => {
    const { hub, clock, call, token, withPin, goOffline } = await startOffline();
    await call("signOut", { token });
    await goOffline();
    clock.advance(HOUR);
    await hub.restart();
    await goOffline();
    const { pinUntil } = (await withPin("manager", PIN)).body;
    expect(Date.parse(pinUntil) - clock.world.clock.now()).toBe(12 * HOUR);
  });

  it(
    "confirmations and ended PIN sessions outlive the restore of an older backup [PEOPLE-42]",
    { tags: "long" },
    async () => {
      const { hub, clock, call, signIn, user, withPin, goOffline, heal } = await startOffline();
      await goOffline();
      const { token } = (await withPin("manager", PIN)).body;
      const { name } = (await call("makeBackup", { token })).body.backup;
      await call("resetPin", { token, params: { userId: user.id } });
      await heal();
      clock.advance(2 * HOUR);
      const { token: account } = await signIn();
      await call("setPin", { token: account, body: { pin: "135792" } });
      const confirm = { params: { name }, body: { confirm: name }, token: account };
      expect(await call("restoreBackup", confirm)).toMatchObject({ status: 202 });
      await hub.restart();
      await goOffline();
      expect(await call("orders", { token })).toMatchObject(unauthenticated);
      expect((await withPin("manager", PIN)).status).toBe(401);
      clock.advance(23 * HOUR);
      expect((await withPin("manager", "135792")).status).toBe(200);
    },
  );

  it("a PIN session's token is no actor, and a terminal's token opens no session [PEOPLE-43]", async () => {
    const { hub, call, user, withPin, goOffline } = await startOffline();
    const terminal = await hub.terminal({ login: "waiter", deviceId: "tablet" });
    await goOffline();
    const { token } = (await withPin("manager", PIN)).body;
    const bare = String(token).slice("comanda-pin.".length);
    for (const actor of [token, bare]) {
      await expect(
        terminal.change({
          type: "ORDER_UPSERT",
          posReference: "A/1",
          baseVersion: 0,
          snapshot: { orderType: "takeout", lines: [] },
          actor,
        }),
      ).rejects.toThrow("ACTOR_REFUSED");
    }
    const entered = await terminalApiOf(hub)("enterPin", {
      body: { deviceKey: terminal.hello.deviceKey, userId: user.id, pin: PIN },
    });
    const { actorToken } = entered.body;
    expect(await call("orders", { token: `comanda-pin.${actorToken}` })).toMatchObject(unauthenticated);
  });

  it("the data file holds no token of a PIN session [PEOPLE-43]", async () => {
    const { hub, withPin, goOffline } = await startOffline();
    await goOffline();
    const { token } = (await withPin("manager", PIN)).body;
    const db = new Database(hub.dbPath);
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.close();
    expect(readFileSync(hub.dbPath).includes(String(token).slice("comanda-pin.".length))).toBe(false);
  });
});

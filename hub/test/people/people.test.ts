import { HOUR_MS, MINUTE_MS } from "@comanda/protocol";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { broadcastOrder as received } from "../support/broadcast-order.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { connectTerminal, type TestTerminal } from "../support/connect-terminal.ts";
import { startFaultyLine } from "../support/faulty-line.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { startWithPins } from "../support/start-with-pins.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

const upsert = (posReference: string, overrides: Record<string, unknown> = {}) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion: 0,
  snapshot: terminalSnapshot(),
  ...overrides,
});
const pay = (posReference: string, baseVersion: number, overrides: Record<string, unknown> = {}) => ({
  type: "ORDER_PAY",
  posReference,
  baseVersion,
  payments: [{ methodId: 1, amount: 100 }],
  ...overrides,
});

async function authorsOf(hub: TestHub, posReference: string) {
  const { body } = await operatorOf(hub)("orderVersions", { params: { posReference } });
  const versions = body.versions as { kind: string; userName: string | null; approvedBy?: string }[];
  return versions
    .filter(({ kind }) => kind !== "closed")
    .map(({ kind, userName, approvedBy }) => [kind, userName, ...(approvedBy === undefined ? [] : [approvedBy])]);
}

async function userNames(hub: TestHub): Promise<Record<string, string>> {
  const names: Record<string, string> = {};
  for (const login of ["waiter", "cashier", "manager"]) {
    const answer = await terminalApiOf(hub)("signIn", { body: { login, password: login } });
    names[login] = answer.body.user.name;
  }
  return names;
}

describe("PINs", () => {
  it("a PIN is set after a full sign-in, and returns a token with its person, rights and expiry [PEOPLE-1]", async () => {
    const { call, ids, enter } = await startWithPins({ cashier: "4711" });
    const before = Date.now();
    const { status, body } = await enter("cashier", "4711");
    expect(status).toBe(200);
    expect(body).toEqual({
      actorToken: expect.stringMatching(/^[\w-]{43}$/),
      user: { id: ids["cashier"], name: expect.any(String), role: "cashier", permissions: expect.any(Array) },
      expiresAt: expect.any(String),
    });
    expect(Date.parse(body.expiresAt) - before).toBeGreaterThanOrEqual(12 * HOUR_MS);
    expect(await call("setPin", { token: null, body: { pin: "4711" } })).toMatchObject({ status: 401 });
  });

  it.each(["123", "123456789", "12a4", "١٢٣٤", "", 1234, " 1234"])(
    "the PIN %j is refused: a PIN has 4 to 8 digits [PEOPLE-2]",
    async (pin) => {
      const call = terminalApiOf(await startTestHub());
      expect(await call("setPin", { body: { pin } })).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR", error: expect.stringContaining("pin") },
      });
    },
  );

  it("a wrong PIN, a person without one and an unknown device key are refused [PEOPLE-3]", async () => {
    const { enter, deviceKey, call, ids } = await startWithPins({ cashier: "4711" });
    expect(await enter("cashier", "4712")).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
    expect(await enter("waiter", "4711")).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
    expect(await enter("cashier", "4711", "made-up")).toMatchObject({
      status: 401,
      body: { errorCode: "UNAUTHENTICATED" },
    });
    const asText = { deviceKey, userId: String(ids["cashier"]), pin: "4711" };
    expect((await call("enterPin", { body: asText })).status).toBe(200);
  });

  it("a new PIN replaces the former one [PEOPLE-4]", async () => {
    const { hub, call, enter } = await startWithPins({ cashier: "4711" });
    await call("setPin", { token: await hub.signIn("cashier"), body: { pin: "00081500" } });
    expect((await enter("cashier", "4711")).status).toBe(401);
    expect((await enter("cashier", "00081500")).status).toBe(200);
  });

  it("setting a PIN 5 minutes after the sign-in needs the password [PEOPLE-80]", async () => {
    const clock = manualClock();
    const { hub, call, enter } = await startWithPins({ manager: "123456" }, { world: clock.world });
    const setPin = (token: string, pin: string, password?: string) =>
      call("setPin", { token, body: { pin, password } });
    const signIn = async () =>
      (await call("signIn", { body: { login: "manager", password: "manager" } })).body.token as string;

    const token = await signIn();
    clock.advance(5 * MINUTE_MS);
    expect(await setPin(token, "111111")).toMatchObject({ status: 200 });
    clock.advance(1);
    for (const password of [undefined, "wrong"]) {
      const { status, body } = await setPin(token, "222222", password);
      expect([status, body.errorCode, body.error]).toEqual([
        403,
        "CONFIRMATION_NEEDED",
        expect.stringMatching(/password/),
      ]);
    }
    expect((await enter("manager", "222222")).status).toBe(401);
    expect((await enter("manager", "111111")).status).toBe(200);
    expect(await setPin(token, "222222", "manager")).toMatchObject({ status: 200 });
    expect((await enter("manager", "222222")).status).toBe(200);

    expect((await setPin(await hub.signIn("manager"), "333333")).status).toBe(200);
    const fresh = await signIn();
    await hub.restart();
    expect((await setPin(fresh, "444444")).status).toBe(403);
  });

  it("sleeping and setting the clock back do not prolong the 5 minutes for setting a PIN [PEOPLE-80]", async () => {
    const clock = manualClock();
    const { call } = await startWithPins({}, { world: clock.world });
    const { token } = (await call("signIn", { body: { login: "waiter", password: "waiter" } })).body;
    clock.sleep(6 * MINUTE_MS);
    expect((await call("setPin", { token, body: { pin: "4711" } })).status).toBe(403);
    clock.jumpWall(-6 * MINUTE_MS);
    clock.advance(6 * MINUTE_MS);
    expect((await call("setPin", { token, body: { pin: "4711" } })).status).toBe(403);
  });

  it("wrong passwords for a PIN count as failed sign-ins, and the right one's session is ended [PEOPLE-81]", async () => {
    const line = await startFaultyLine();
    const { hub, call } = await startWithPins({}, { line });
    const { token } = (await call("signIn", { body: { login: "cashier", password: "cashier" } })).body;
    await hub.restart();
    const set = (password: string) => call("setPin", { token, body: { pin: "4711", password } });
    expect((await set("cashier")).status).toBe(200);
    expect(line.requests.filter(({ path }) => path === "/web/session/destroy")).toHaveLength(1);
    await line.down();
    expect(await set("cashier")).toMatchObject({ status: 503, body: { errorCode: "UPSTREAM_UNAVAILABLE" } });
    await line.up();
    await until("the back-office to be reached", async () => (await set("cashier")).status === 200);
    for (let misses = 0; misses < 10; misses += 1) expect((await set("wrong")).status).toBe(403);
    expect(await set("cashier")).toMatchObject({ status: 429 });
    expect(await call("signIn", { body: { login: "waiter", password: "waiter" } })).toMatchObject({ status: 429 });
  });

  it("the people who may use a PIN are listed by name, to a known device only [PEOPLE-5]", async () => {
    const { call, deviceKey, ids } = await startWithPins({ manager: "123456", cashier: "4711" });
    const { body } = await call("people", { query: { deviceKey } });
    expect(body).toEqual({
      people: expect.arrayContaining([
        { id: ids["cashier"], name: expect.any(String), role: "cashier" },
        // May approve refunds.
        { id: ids["manager"], name: expect.any(String), role: "manager", mayRefund: true },
      ]),
    });
    expect(await call("people", { query: { deviceKey: "made-up" } })).toMatchObject({ status: 401 });
    expect(await call("people")).toMatchObject({ status: 400 });
  });

  it("5 misses lock a person on that device for 5 minutes, over a restart too [PEOPLE-6]", async () => {
    const clock = manualClock();
    const { hub, enter, ids, call } = await startWithPins(
      { cashier: "4711", manager: "123456" },
      { world: clock.world },
    );
    const other = await hub.terminal({ login: "cashier", deviceId: "other" });
    for (let miss = 1; miss <= 5; miss += 1) expect((await enter("cashier", "0000")).status).toBe(401);
    expect(await enter("cashier", "4711")).toMatchObject({ status: 429, body: { errorCode: "RATE_LIMITED" } });
    expect((await enter("manager", "123456")).status).toBe(200);
    expect((await enter("cashier", "4711", other.hello.deviceKey)).status).toBe(200);
    clock.advance(5 * MINUTE_MS - 1_000);
    expect((await enter("cashier", "4711")).status).toBe(429);
    await hub.restart();
    expect((await enter("cashier", "4711")).status).toBe(429);
    expect((await operatorOf(hub)("people")).body.people).toMatchObject([
      { id: ids["cashier"], locked: [{ terminalId: "tablet", until: expect.any(String) }] },
      { id: ids["manager"], locked: [] },
    ]);
    clock.advance(1_000);
    expect((await enter("cashier", "4711")).status).toBe(200);
    for (let miss = 1; miss <= 4; miss += 1) await enter("cashier", "0000");
    expect((await enter("cashier", "4711")).status).toBe(200);
    expect((await call("signIn", { body: { login: "cashier", password: "cashier" } })).status).toBe(200);
  });

  it("moving the wall clock does not unlock a person [PEOPLE-6]", async () => {
    const clock = manualClock();
    const { enter } = await startWithPins({ cashier: "4711" }, { world: clock.world });
    for (let miss = 1; miss <= 5; miss += 1) await enter("cashier", "0000");
    clock.jumpWall(24 * HOUR_MS);
    expect((await enter("cashier", "4711")).status).toBe(429);
    clock.jumpWall(-48 * HOUR_MS);
    clock.advance(5 * MINUTE_MS);
    expect((await enter("cashier", "4711")).status).toBe(200);
  });

  it("wrong PINs sent at once get no more attempts than one after the other [PEOPLE-7]", async () => {
    const { enter } = await startWithPins({ cashier: "4711" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter("cashier", "0000")));
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(5);
    expect((await enter("cashier", "4711")).status).toBe(429);
  });

  it("the data file holds neither a PIN nor the tokens that it returns [PEOPLE-8]", async () => {
    const { hub, actor, terminal } = await startWithPins({ cashier: "83914627" });
    const token = await actor("cashier");
    await terminal.change(upsert("A", { actor: token, approval: token }));
    expect(await refusal(terminal.change(pay("A", 9, { actor: token })))).toMatchObject({ errorCode: "CONFLICT" });
    let stored = "";
    await hub.restart(() => {
      stored = readFileSync(hub.dbPath, "latin1");
    });
    expect(stored).toContain("CONFLICT");
    for (const secret of ["83914627", token, terminal.hello.actorToken ?? ""]) expect(stored).not.toContain(secret);
  });

  it("a PIN works without the back-office, with the rights that were confirmed last [PEOPLE-9]", async () => {
    const { hub, enter, terminal } = await startWithPins({ cashier: "4711" }, { ownBackOffice: true });
    await hub.backOffice.kill();
    const { status, body } = await enter("cashier", "4711");
    expect(status).toBe(200);
    await terminal.change(upsert("A"));
    await terminal.change(pay("A", 1, { actor: body.actorToken }));
    expect((await received(terminal, "A", 2)).snapshot.status).toBe("paid");
  });
});

describe("actors", () => {
  it("a mutation belongs to its actor, even if somebody else is signed in when it arrives [PEOPLE-20]", async () => {
    const { hub, terminal, actor } = await startWithPins({ cashier: "4711" });
    const names = await userNames(hub);
    await terminal.change(upsert("A"));
    expect(await refusal(terminal.change(pay("A", 1)))).toMatchObject({ errorCode: "FORBIDDEN" });
    await terminal.change(pay("A", 1, { actor: await actor("cashier") }));
    expect(await authorsOf(hub, "A")).toEqual([
      ["created", names["waiter"]],
      ["paid", names["cashier"]],
    ]);
  });

  it("unsent work stays its author's when another user signs in [PEOPLE-21]", async () => {
    const hub = await startTestHub();
    const names = await userNames(hub);
    const cashier = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { actorToken, deviceKey } = cashier.hello;
    expect(actorToken).toMatch(/^[\w-]{43}$/);
    await cashier.change(upsert("A"));
    const queuedAt = new Date().toISOString();
    cashier.close();
    await cashier.closed;
    const waiter = await connectAs(hub, "waiter", { deviceId: "till", deviceKey });
    await waiter.change(upsert("B", { actor: actorToken, queuedAt }));
    await waiter.change(pay("A", 1, { actor: actorToken, queuedAt }));
    await waiter.change(upsert("C"));
    expect(await authorsOf(hub, "A")).toEqual([
      ["created", names["cashier"]],
      ["paid", names["cashier"]],
    ]);
    expect(await authorsOf(hub, "B")).toEqual([["created", names["cashier"]]]);
    expect(await authorsOf(hub, "C")).toEqual([["created", names["waiter"]]]);
  });

  it("a mutation is authorized by its actor's role, not by that of the signed-in user [PEOPLE-22]", async () => {
    const { hub, actor } = await startWithPins({ waiter: "1111" });
    const asWaiter = pay("A", 1, { actor: await actor("waiter") });
    const manager = await hub.terminal({ login: "manager", deviceId: "tablet" });
    await manager.change(upsert("A"));
    expect(await refusal(manager.change(asWaiter))).toMatchObject({ errorCode: "FORBIDDEN" });
  });

  it("a made-up actor token, and another device's, are refused [PEOPLE-23]", async () => {
    const { hub, terminal, actor } = await startWithPins({ cashier: "4711" });
    const other = await hub.terminal({ login: "manager", deviceId: "other" });
    const token = await actor("cashier");
    for (const [from, actorToken] of [
      [terminal, "made-up"],
      [other, token],
      [terminal, other.hello.actorToken],
    ] as const) {
      expect(await refusal(from.change(upsert("A", { actor: actorToken })))).toMatchObject({
        type: "ORDER_REJECTED",
        posReference: "A",
        errorCode: "ACTOR_REFUSED",
        retryable: false,
      });
    }
    expect((await operatorOf(hub)("order", { params: { posReference: "A" } })).status).toBe(404);
  });

  it("an actor token must be valid at the time when the mutation was queued [PEOPLE-24]", async () => {
    const clock = manualClock();
    const { hub, deviceKey, actor } = await startWithPins({ cashier: "4711" }, { world: clock.world });
    const token = await actor("cashier");
    clock.advance(12 * HOUR_MS - MINUTE_MS);
    const inTime = new Date(clock.world.clock.now()).toISOString();
    clock.advance(2 * HOUR_MS);
    const terminal = await connectAs(hub, "waiter", { deviceId: "tablet", deviceKey });
    await terminal.change(upsert("A", { actor: token, queuedAt: inTime }));
    const tooLate = new Date(clock.world.clock.now()).toISOString();
    for (const queuedAt of [undefined, tooLate]) {
      const change = terminal.change(upsert("B", { actor: token, queuedAt }));
      expect(await refusal(change)).toMatchObject({
        errorCode: "ACTOR_REFUSED",
        error: expect.stringContaining("expired"),
        refusedToken: { of: "actor", why: "expired" },
      });
    }
  });

  it("a refusal names the refused token and the reason [PEOPLE-93]", async () => {
    const clock = manualClock();
    const options = { world: clock.world };
    const { hub, deviceKey, actor, ids, enter } = await startWithPins({ cashier: "4711", manager: "123456" }, options);
    const operator = operatorOf(hub);
    const ago = (ms: number) => new Date(clock.world.clock.now() - ms).toISOString();
    const tablet = { deviceId: "tablet", deviceKey };
    const whyOf = async (signed: Record<string, string | undefined>, key: { deviceKey?: string } = tablet) => {
      const terminal = await connectAs(hub, "waiter", { deviceId: "tablet", ...key });
      return (await refusal(terminal.change(upsert("A", signed)))).refusedToken;
    };
    const token = await actor("cashier");
    const approvalPin = { deviceKey, userId: ids["manager"] ?? 0, pin: "123456", for: "approval" as const };
    const approval: string = (await terminalApiOf(hub)("enterPin", { body: approvalPin })).body.actorToken;
    const own = (await connectAs(hub, "waiter", tablet)).hello.actorToken;

    expect(await whyOf({ actor: "made-up" })).toEqual({ of: "actor", why: "unknown" });
    expect(await whyOf({ actor: token, queuedAt: ago(MINUTE_MS) })).toEqual({ of: "actor", why: "early" });
    expect(await whyOf({ actor: approval })).toEqual({ of: "actor", why: "for_approval" });
    await (await connectAs(hub, "waiter", tablet)).change(upsert("B", { approval }));
    expect(await whyOf({ approval })).toEqual({ of: "approval", why: "used" });
    await operator("resetPin", { params: { userId: ids["cashier"] ?? 0 } });
    expect(await whyOf({ approval: token })).toEqual({ of: "approval", why: "pin_revoked" });
    await operator("forgetTerminal", { params: { terminalId: "tablet" } });
    expect((await enter("cashier", "4711")).status).toBe(401);
    // The token was refused before; its first reason stays.
    expect(await whyOf({ actor: token }, {})).toEqual({ of: "actor", why: "pin_revoked" });
    expect(await whyOf({ actor: own })).toEqual({ of: "actor", why: "device_forgotten" });
    expect(await whyOf({ actor: own })).toEqual({ of: "actor", why: "device_forgotten" });
  });

  it("an actor token outlives a restart of the hub [PEOPLE-24]", async () => {
    const { hub, deviceKey, actor } = await startWithPins({ cashier: "4711" });
    const token = await actor("cashier");
    await hub.restart();
    const terminal = await connectAs(hub, "waiter", { deviceId: "tablet", deviceKey });
    await terminal.change(upsert("A", { actor: token }));
  });

  it("an actor token ends with its PIN or its device, even for earlier queued changes [PEOPLE-25, PEOPLE-71]", async () => {
    const clock = manualClock();
    const { hub, deviceKey, actor, ids, enter } = await startWithPins({ cashier: "4711" }, { world: clock.world });
    const operator = operatorOf(hub);
    const now = () => new Date(clock.world.clock.now()).toISOString();
    const token = await actor("cashier");
    const dead = await actor("cashier");
    clock.advance(MINUTE_MS);
    const before = now();
    clock.advance(MINUTE_MS);
    expect((await operator("resetPin", { params: { userId: ids["cashier"] ?? 0 } })).body).toEqual({ deleted: true });
    const terminal = await connectAs(hub, "waiter", { deviceId: "tablet", deviceKey });
    await terminal.change(upsert("A"));
    for (const signed of [{ actor: token }, { approval: token }, { actor: dead }]) {
      for (const queuedAt of [undefined, before]) {
        const change = terminal.change(upsert("B", { ...signed, queuedAt }));
        expect(await refusal(change)).toMatchObject({
          errorCode: "ACTOR_REFUSED",
          error: expect.stringContaining("revoked"),
        });
      }
    }
    expect((await enter("cashier", "4711")).status).toBe(401);
    expect((await operator("order", { params: { posReference: "B" } })).status).toBe(404);

    expect(await refusal(terminal.change(pay("A", 1, { actor: token, queuedAt: before })))).toMatchObject({
      errorCode: "ACTOR_REFUSED",
    });
    expect((await operator("payments")).body.payments).toMatchObject([
      { posReference: "A", errorCode: "ACTOR_REFUSED" },
    ]);

    const own = terminal.hello.actorToken;
    const beforeForgetting = now();
    clock.advance(MINUTE_MS);
    await operator("forgetTerminal", { params: { terminalId: "tablet" } });
    const again = await connectAs(hub, "waiter", { deviceId: "tablet" });
    for (const queuedAt of [undefined, beforeForgetting]) {
      const change = again.change(upsert("C", { actor: own, queuedAt }));
      expect(await refusal(change)).toMatchObject({ errorCode: "ACTOR_REFUSED" });
    }
    await again.change(upsert("C", { actor: again.hello.actorToken }));
  });

  it("the use of a revoked token is reported to managers, once for each token [PEOPLE-71]", async () => {
    const { hub, terminal, actor, ids } = await startWithPins({ cashier: "4711" });
    const names = await userNames(hub);
    const operator = operatorOf(hub);
    const token = await actor("cashier");
    await operator("resetPin", { params: { userId: ids["cashier"] ?? 0 } });
    for (let i = 0; i < 3; i += 1) await refusal(terminal.change(upsert("A", { actor: token })));
    const { entries } = (await operator("feed")).body;
    expect(entries.filter(({ kind }: { kind: string }) => kind === "actor_revoked")).toMatchObject([
      { level: "bad", detail: { userName: names["cashier"], terminalId: "tablet", posReference: "A" } },
    ]);
  });

  it("a change queued before its actor token was issued is refused [PEOPLE-70]", async () => {
    const clock = manualClock();
    const { deviceKey, actor, hub } = await startWithPins({ cashier: "4711" }, { world: clock.world });
    const at = (ms: number) => new Date(clock.world.clock.now() + ms).toISOString();
    const actorToken = await actor("cashier");
    const terminal = await connectAs(hub, "waiter", { deviceId: "tablet", deviceKey });
    await terminal.change(upsert("A", { actor: actorToken, queuedAt: at(-5_000) }));
    expect(await refusal(terminal.change(pay("A", 1, { actor: actorToken, queuedAt: at(-MINUTE_MS) })))).toMatchObject({
      errorCode: "ACTOR_REFUSED",
      error: expect.stringContaining("given later"),
    });
    clock.advance(13 * HOUR_MS);
    for (const age of [12 * HOUR_MS + MINUTE_MS, 14 * HOUR_MS]) {
      const change = (await connectAs(hub, "waiter", { deviceId: "tablet", deviceKey })).change(
        upsert("B", { actor: actorToken, queuedAt: at(-age) }),
      );
      if (age < 13 * HOUR_MS) await change;
      else expect(await refusal(change)).toMatchObject({ errorCode: "ACTOR_REFUSED" });
    }
  });

  it("a change queued before its device last had nothing unsent is refused, over a restart [PEOPLE-72]", async () => {
    const clock = manualClock();
    const { hub, deviceKey, actor } = await startWithPins({ cashier: "4711" }, { world: clock.world });
    const at = (ms: number) => new Date(clock.world.clock.now() + ms).toISOString();
    const token = await actor("cashier");
    clock.advance(13 * HOUR_MS);
    const reported = await connectAs(hub, "waiter", { deviceId: "tablet", deviceKey });
    await reported.request({ type: "HEARTBEAT", outbox: { pending: 0, oldestAt: null } });
    for (let i = 0; i < 2; i += 1) {
      const terminal = await connectAs(hub, "waiter", { deviceId: "tablet", deviceKey });
      const change = terminal.change(upsert("A", { actor: token, queuedAt: at(-2 * HOUR_MS) }));
      expect(await refusal(change)).toMatchObject({ errorCode: "ACTOR_REFUSED" });
      await hub.restart();
    }
  });

  it("the signed-in user's token is valid for 12 h after the terminal's last message [PEOPLE-26]", async () => {
    const clock = manualClock();
    const { hub, terminal, deviceKey } = await startWithPins({}, { world: clock.world });
    const actor = terminal.hello.actorToken;
    for (const hours of [11, 11]) {
      // The machine sleeps, so no timer closes the connection as idle.
      clock.sleep(hours * HOUR_MS);
      await terminal.request({ type: "HEARTBEAT" });
    }
    await terminal.change(upsert("A", { actor }));
    terminal.close();
    await terminal.closed;
    clock.sleep(11 * HOUR_MS);
    const next = await connectAs(hub, "waiter", { deviceId: "tablet", deviceKey });
    await next.change(upsert("B", { actor }));
  });

  it("a repeated mutation is a duplicate whoever its actor is [PEOPLE-27]", async () => {
    const { terminal, actor } = await startWithPins({ cashier: "4711" });
    const mutationId = crypto.randomUUID();
    const first = await terminal.change(upsert("A", { mutationId, actor: await actor("cashier") }));
    const again = await terminal.change(upsert("A", { mutationId }));
    expect(again).toEqual({ ...first, duplicate: true });
    expect(await terminal.change(upsert("A", { mutationId, actor: "made-up" }))).toMatchObject({ duplicate: true });
  });

  it("a payment with a refused actor stays as money for a manager to settle [PEOPLE-28]", async () => {
    const { hub, terminal } = await startWithPins({});
    await terminal.change(upsert("A"));
    expect(await refusal(terminal.change(pay("A", 1, { actor: "made-up" })))).toMatchObject({
      errorCode: "ACTOR_REFUSED",
    });
    const { body } = await operatorOf(hub)("closing");
    expect(body.unappliedPayments).toMatchObject([{ posReference: "A", amount: 100, errorCode: "ACTOR_REFUSED" }]);
    expect(JSON.stringify(body)).not.toContain("made-up");
  });

  it("an actor has the role that the back-office confirmed last [PEOPLE-29]", async () => {
    const { hub, terminal, actor, ids, enter } = await startWithPins({ cashier: "4711" });
    const token = await actor("cashier");
    const demoted = {
      uid: ids["cashier"],
      name: "Demoted",
      username: "cashier",
      pos: { role: "waiter", permissions: [] },
    };
    await hub.backOffice.control("POST", "/faults", {
      faults: [
        {
          path: "/web/session/get_session_info",
          action: "status",
          status: 200,
          body: { jsonrpc: "2.0", result: demoted },
        },
      ],
    });
    const { hello } = await hub.terminal({ login: "cashier", deviceId: "till" });
    expect(hello.user.role).toBe("waiter");
    await hub.backOffice.control("DELETE", "/faults");
    await terminal.change(upsert("A"));
    expect(await refusal(terminal.change(pay("A", 1, { actor: token })))).toMatchObject({ errorCode: "FORBIDDEN" });
    expect((await enter("cashier", "4711")).body.user).toMatchObject({ name: "Demoted", role: "waiter" });
  });

  it("tokens and PIN resets outlive the restore of an older backup [PEOPLE-30]", async () => {
    const { hub, terminal, actor, ids, enter, call, deviceKey } = await startWithPins({ cashier: "4711" });
    const operator = operatorOf(hub);
    const { name } = (await operator("makeBackup")).body.backup;
    const token = await actor("cashier");
    const own = terminal.hello.actorToken;
    await call("setPin", { token: await hub.signIn("manager"), body: { pin: "123456" } });
    await operator("resetPin", { params: { userId: ids["cashier"] ?? 0 } });
    const restored = await operator("restoreBackup", { params: { name }, body: { confirm: name } });
    expect(restored.status).toBeLessThan(300);
    await hub.restart();
    expect((await operator("people")).body.people).toMatchObject([{ role: "manager" }]);
    const again = await hub.terminal({ login: "waiter", deviceId: "tablet", deviceKey });
    await again.change(upsert("A", { actor: own }));
    expect(await refusal(again.change(upsert("B", { actor: token })))).toMatchObject({
      errorCode: "ACTOR_REFUSED",
      error: expect.stringContaining("revoked"),
    });
    expect((await enter("cashier", "4711")).status).toBe(401);
  });
});

describe("approvals", () => {
  it("an approval adds the approver's rights to one mutation, and both names are recorded [PEOPLE-40]", async () => {
    const { hub, terminal, actor } = await startWithPins({ manager: "123456", waiter: "1111" });
    const names = await userNames(hub);
    await terminal.change(upsert("A"));
    await terminal.change(pay("A", 1, { actor: await actor("waiter"), approval: await actor("manager") }));
    await terminal.change(upsert("B"));
    const approval = await actor("manager");
    await terminal.change({ type: "ORDER_DISCARD", posReference: "B", baseVersion: 1, approval, reason: "left" });
    expect(await authorsOf(hub, "A")).toEqual([
      ["created", names["waiter"]],
      ["paid", names["waiter"], names["manager"]],
    ]);
    expect(await authorsOf(hub, "B")).toEqual([
      ["created", names["waiter"]],
      ["discarded", names["waiter"], names["manager"]],
    ]);
  });

  it("an approval is for one mutation: another is refused, and a repeat is a duplicate, over a restart [PEOPLE-73]", async () => {
    const { hub, terminal, deviceKey, actor } = await startWithPins({ manager: "123456" });
    const approval = await actor("manager");
    for (const order of ["A", "B"]) await terminal.change(upsert(order));
    const first = pay("A", 1, { approval, mutationId: crypto.randomUUID() });
    // A refused mutation does not use up the approval.
    expect(await refusal(terminal.change(pay("A", 7, { approval, payments: [] })))).toMatchObject({
      errorCode: expect.not.stringMatching("ACTOR_REFUSED"),
    });
    await terminal.change(first);
    const second = { type: "ORDER_DISCARD", posReference: "B", baseVersion: 1, approval, reason: "left" };
    const isUsed = async (at: TestTerminal): Promise<void> => {
      expect(await at.change(first)).toMatchObject({ duplicate: true });
      for (let i = 0; i < 2; i += 1) {
        expect(await refusal(at.change(second))).toMatchObject({
          errorCode: "ACTOR_REFUSED",
          error: expect.stringContaining("another change"),
        });
      }
    };
    await isUsed(terminal);
    await hub.restart();
    await isUsed(await hub.terminal({ login: "waiter", deviceId: "tablet", deviceKey }));
    expect((await operatorOf(hub)("order", { params: { posReference: "B" } })).status).toBe(200);
  });

  it("a token issued for approval is refused as an actor [PEOPLE-74]", async () => {
    const { terminal, call, deviceKey, ids } = await startWithPins({ manager: "123456" });
    const { body } = await call("enterPin", {
      body: { deviceKey, userId: ids["manager"], pin: "123456", for: "approval" },
    });
    expect(await refusal(terminal.change(upsert("A", { actor: body.actorToken })))).toMatchObject({
      errorCode: "ACTOR_REFUSED",
      error: expect.stringContaining("approval only"),
    });
    await terminal.change(upsert("A"));
    await terminal.change(pay("A", 1, { approval: body.actorToken }));
  });

  it("an approval lets a waiter take over a lease once, in the waiter's name [LEASE-100] [LEASE-101]", async () => {
    const { hub, terminal, actor } = await startWithPins({ manager: "123456", waiter: "1111", cashier: "4711" });
    const names = await userNames(hub);
    const other = await hub.terminal({ login: "cashier", deviceId: "other" });
    const acquire = (by: TestTerminal, posReference: string, overrides: Record<string, unknown> = {}) =>
      by.request({ type: "LEASE_ACQUIRE", posReference, ...overrides });
    for (const posReference of ["A", "B"]) {
      expect(await acquire(other, posReference)).toMatchObject({ type: "LEASE_GRANTED" });
    }
    const waiter = await actor("waiter");
    const signed = { actor: waiter, approval: await actor("manager"), takeover: true };
    expect(await acquire(terminal, "A", { takeover: true, actor: waiter })).toMatchObject({ type: "LEASE_DENIED" });
    expect(await acquire(terminal, "A", { ...signed, approval: await actor("cashier") })).toMatchObject({
      type: "LEASE_DENIED",
    });
    expect(await acquire(terminal, "A", { ...signed, approval: "made-up" })).toMatchObject({
      errorCode: "ACTOR_REFUSED",
    });
    for (let again = 0; again < 2; again += 1) {
      expect(await acquire(terminal, "A", { ...signed, requestId: "once" })).toMatchObject({ type: "LEASE_GRANTED" });
    }
    expect(await other.next("LEASE_REVOKED")).toMatchObject({ posReference: "A", by: { userName: names["waiter"] } });
    for (const overrides of [{}, { requestId: "once" }]) {
      expect(await acquire(terminal, "B", { ...signed, ...overrides })).toMatchObject({ errorCode: "ACTOR_REFUSED" });
    }

    await acquire(terminal, "A", { actor: await actor("cashier") });
    const isRenamed = ({ holder }: { holder: { userName: string } | null }) => holder?.userName === names["cashier"];
    expect(await other.next("LEASE_CHANGED", isRenamed)).toMatchObject({ posReference: "A" });
  });

  it("presence shows the acting person, not the one signed in on the device [TERM-176]", async () => {
    const { hub, terminal, actor } = await startWithPins({ cashier: "4711" });
    const names = await userNames(hub);
    const other = await hub.terminal({ login: "manager", deviceId: "other" });
    const isAt = (table: number) => (message: { tableId?: number | undefined }) => message.tableId === table;
    terminal.send({ type: "PRESENCE", tableId: 4, actor: await actor("cashier") });
    expect(await other.next("PRESENCE", isAt(4))).toMatchObject({ terminalId: "tablet", userName: names["cashier"] });
    const later = await hub.terminal({ login: "manager", deviceId: "later" });
    expect(await later.next("PRESENCE", isAt(4))).toMatchObject({ terminalId: "tablet", userName: names["cashier"] });
    terminal.send({ type: "PRESENCE", tableId: 5, actor: "made-up" });
    expect(await other.next("PRESENCE", isAt(5))).toMatchObject({ terminalId: "tablet", userName: names["waiter"] });
  });

  it("an approval by somebody without the right is refused, and so is a made-up one [PEOPLE-41]", async () => {
    const { terminal, hub, actor } = await startWithPins({ waiter: "1111" });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await till.change(upsert("A"));
    const change = pay("A", 1, { approval: await actor("waiter") });
    expect(await refusal(till.change(change))).toMatchObject({ errorCode: "ACTOR_REFUSED" });
    expect(await refusal(terminal.change(upsert("B", { approval: "made-up" })))).toMatchObject({
      errorCode: "ACTOR_REFUSED",
      error: expect.stringContaining("approval"),
    });
  });
});

describe("list of people", () => {
  it("the list of people has each PIN and since when, for managers only [OP-130]", async () => {
    const { hub, ids } = await startWithPins({ cashier: "4711" });
    const call = operatorOf(hub);
    expect((await call("people")).body).toEqual({
      people: [
        {
          id: ids["cashier"],
          name: expect.any(String),
          role: "cashier",
          pinSetAt: expect.any(String),
          locked: [],
        },
      ],
    });
    expect((await call("people", { token: await hub.signIn("cashier") })).status).toBe(403);
  });

  it("screens are notified when a PIN is set, locked and reset [OP-130]", async () => {
    const { hub, call, ids, enter } = await startWithPins({ cashier: "4711" });
    const stream = await openStream(hub);
    await call("setPin", { token: await hub.signIn("manager"), body: { pin: "123456" } });
    await stream.changed("people");
    for (let miss = 0; miss < 5; miss += 1) await enter("cashier", "0000");
    await stream.changed("people");
    await operatorOf(hub)("resetPin", { params: { userId: ids["cashier"] ?? 0 } });
    await stream.changed("people");
  });

  it("a manager resets a PIN once, and sets and resets are audited [OP-131, PEOPLE-108]", async () => {
    const { hub, ids } = await startWithPins({ cashier: "4711" });
    const call = operatorOf(hub);
    const params = { userId: ids["cashier"] ?? 0 };
    expect((await call("resetPin", { params })).body).toEqual({ deleted: true });
    expect((await call("people")).body.people).toEqual([]);
    expect(await call("resetPin", { params })).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    expect(await call("resetPin", { params: { userId: "x" } })).toMatchObject({ status: 404 });
    expect((await call("audit")).body.entries).toMatchObject([
      { action: "person.reset_pin", userName: "Marisol Peña", note: { words: "Carlos Jiménez" } },
      { action: "person.set_pin", userName: "Carlos Jiménez", target: String(ids["cashier"]) },
    ]);
  });
});

/** Reconnects a device, possibly as another user. */
async function connectAs(
  hub: TestHub,
  login: string,
  device: { deviceId: string; deviceKey?: string | undefined },
): Promise<TestTerminal> {
  const token = await hub.signIn(login);
  return connectTerminal(hub.url.replace(/^http/, "ws"), { type: "AUTH", token, ...device });
}

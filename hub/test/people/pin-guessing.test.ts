// @module-tag long
import { MINUTE_MS, HOUR_MS } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { startWithPins } from "../support/start-with-pins.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

const PIN = "258025";

const needsPassword = { status: 403, body: { errorCode: "CONFIRMATION_NEEDED" } };
const wrong = { status: 401, body: { errorCode: "UNAUTHENTICATED" } };
const locked = { status: 429, body: { errorCode: "RATE_LIMITED" } };
const behindProxy = { env: { HUB_TRUST_PROXY: "127.0.0.1" } };

/** Signs in at a device. Returns the connection and the hub's answer. */
async function authenticate(hub: TestHub, login: string, deviceId: string, headers: Record<string, string> = {}) {
  const socket = await openSocket(hub.url, { headers });
  socket.send({ type: "AUTH", token: await hub.signIn(login), deviceId });
  const answer = await until("an answer to AUTH", () => socket.received[0]);
  return { ...socket, answer };
}

/** Creates devices where first a manager and then the waiter signed in. Returns their keys. */
async function tablets(hub: TestHub, count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const deviceId = `tablet-${n}`;
      const { deviceKey } = (await hub.terminal({ login: "manager", deviceId })).hello;
      await hub.terminal({ login: "waiter", deviceId, deviceKey });
      return deviceKey ?? "";
    }),
  );
}

describe("guessing PINs", () => {
  it("a new device for each attempt finds no PIN, and no device is refused [PEOPLE-60, TERM-110]", async () => {
    const { hub, ids, call } = await startWithPins({ manager: PIN });
    for (let n = 0; n < 100; n += 1) {
      const { answer, socket } = await authenticate(hub, "waiter", `made-up-${n}`);
      expect(answer.type).toBe("AUTH_OK");
      const { deviceKey } = answer as { deviceKey?: string };
      const tried = await call("enterPin", { body: { deviceKey, userId: ids["manager"], pin: PIN } });
      expect(tried).toMatchObject(needsPassword);
      socket.close();
    }
  });

  it("a PIN works where its person or a manager signed in with the password, and is listed only there [PEOPLE-60]", async () => {
    const { hub, call, ids, enter } = await startWithPins({ manager: PIN, cashier: "4711" });
    const { deviceKey } = (await hub.terminal({ login: "cashier", deviceId: "own" })).hello;
    const people = async () => (await call("people", { query: { deviceKey: deviceKey ?? "" } })).body.people;
    expect(await people()).toEqual([{ id: ids["cashier"], name: expect.any(String), role: "cashier" }]);
    expect((await enter("cashier", "4711", deviceKey)).status).toBe(200);
    expect(await enter("manager", PIN, deviceKey)).toMatchObject(needsPassword);
    expect(await enter("manager", "000000", deviceKey)).toMatchObject(needsPassword);
    await hub.terminal({ login: "manager", deviceId: "own", deviceKey });
    await hub.terminal({ login: "waiter", deviceId: "own", deviceKey });
    await hub.restart();
    expect(await people()).toHaveLength(2);
    expect((await enter("manager", PIN, deviceKey)).status).toBe(200);
  });

  it("a device that returns under another key is a new device for PINs [PEOPLE-60]", async () => {
    const { hub, enter } = await startWithPins({ manager: PIN });
    const { deviceKey } = (await hub.terminal({ login: "waiter", deviceId: "tablet" })).hello;
    expect(deviceKey).toBeDefined();
    expect(await enter("manager", PIN, deviceKey)).toMatchObject(needsPassword);
  });

  it("20 misses within an hour over all devices lock a PIN, over a restart and whatever the clock shows [PEOPLE-61]", async () => {
    const clock = manualClock();
    const { hub, enter, call, ids } = await startWithPins({ manager: PIN, cashier: "4711" }, { world: clock.world });
    const keys = await tablets(hub, 6);
    for (const key of keys.slice(0, 4)) {
      for (let miss = 1; miss <= 5; miss += 1) expect(await enter("manager", "000000", key)).toMatchObject(wrong);
    }
    const [fresh] = keys.slice(4);
    const [right, other] = [await enter("manager", PIN, fresh), await enter("manager", "000000", fresh)];
    expect(right).toMatchObject(locked);
    expect(right.body).toEqual(other.body);
    expect((await enter("cashier", "4711", fresh)).status).toBe(200);
    expect((await call("signIn", { body: { login: "manager", password: "manager" } })).status).toBe(200);
    await hub.restart();
    clock.jumpWall(24 * HOUR_MS);
    expect(await enter("manager", PIN, fresh)).toMatchObject(locked);
    clock.jumpWall(-48 * HOUR_MS);
    clock.advance(30 * MINUTE_MS);
    expect(await enter("manager", PIN, fresh)).toMatchObject(locked);
    const { people } = (await operatorOf(hub)("people")).body;
    expect(people).toContainEqual(
      expect.objectContaining({ id: ids["manager"], passwordOnlyUntil: expect.any(String) }),
    );
    clock.advance(30 * MINUTE_MS);
    expect((await enter("manager", PIN, fresh)).status).toBe(200);
  });

  it("misses sent at once over many devices get no more attempts [PEOPLE-61]", async () => {
    const { hub, enter } = await startWithPins({ manager: PIN });
    const keys = await tablets(hub, 8);
    const answers = await Promise.all(
      keys.flatMap((key) => Array.from({ length: 5 }, () => enter("manager", "000000", key))),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it("a right PIN in between does not reset the misses of all devices [PEOPLE-61]", async () => {
    const { hub, enter } = await startWithPins({ manager: PIN });
    const keys = await tablets(hub, 5);
    for (const key of keys) {
      for (let miss = 1; miss <= 4; miss += 1) await enter("manager", "000000", key);
      if (key !== keys.at(-1)) expect((await enter("manager", PIN, key)).status).toBe(200);
    }
    expect(await enter("manager", PIN, keys[0])).toMatchObject(locked);
  });

  it("misses from the network do not lock the hub's own computer, and a reset by a manager ends the lock [PEOPLE-61]", async () => {
    const { hub, enter, call, ids } = await startWithPins({ cashier: "4711" }, behindProxy);
    const keys = await tablets(hub, 5);
    const from = (n: number) => ({ "X-Forwarded-For": `10.0.0.${n}` });
    for (const [n, key] of keys.slice(0, 4).entries()) {
      for (let miss = 1; miss <= 5; miss += 1) await enter("cashier", "0000", key, from(n));
    }
    expect(await enter("cashier", "4711", keys[4], from(9))).toMatchObject(locked);
    expect((await enter("cashier", "4711", keys[4])).status).toBe(200);
    await operatorOf(hub)("resetPin", { params: { userId: ids["cashier"] ?? 0 } });
    await call("setPin", { token: await hub.signIn("cashier"), body: { pin: "8899" } });
    expect((await enter("cashier", "8899", keys[4], from(9))).status).toBe(200);
  });

  it("40 misses for any persons lock the devices of the user who is signed in there [PEOPLE-62]", async () => {
    const pins = { waiter: "1111", cashier: "4711", manager: PIN, clerk: "999999" };
    const { hub, enter } = await startWithPins(pins, behindProxy);
    const keys = await tablets(hub, 3);
    const from = (n: number) => ({ "X-Forwarded-For": `10.0.0.${n}` });
    let n = 0;
    for (const login of Object.keys(pins)) {
      for (const key of keys.slice(0, 2)) {
        for (let miss = 1; miss <= 5; miss += 1) {
          n += 1;
          // Each of the 40 misses has another address.
          expect(await enter(login, "000000", key, from(n))).toMatchObject(wrong);
        }
      }
    }
    expect(await enter("cashier", "4711", keys[2], from(99))).toMatchObject(locked);
    const own = (await hub.terminal({ login: "cashier", deviceId: "own" })).hello.deviceKey;
    expect((await enter("cashier", "4711", own, from(99))).status).toBe(200);
    expect((await operatorOf(hub)("audit")).body.entries).toContainEqual(
      expect.objectContaining({ action: "terminal.pins_refused", target: expect.stringContaining("tablet-") }),
    );
  });

  it("40 misses lock an address, and no other one [PEOPLE-62]", async () => {
    const { hub, enter } = await startWithPins({ cashier: "4711", manager: PIN, clerk: "999999" }, behindProxy);
    const keys = await tablets(hub, 4);
    const own = (await hub.terminal({ login: "manager", deviceId: "own" })).hello.deviceKey;
    for (const n of [2, 3]) await hub.terminal({ login: "cashier", deviceId: `tablet-${n}`, deviceKey: keys[n] });
    const from = (address: string) => ({ "X-Forwarded-For": address });
    for (const key of keys) {
      for (const login of ["cashier", "manager"]) {
        for (let miss = 1; miss <= 5; miss += 1) {
          expect(await enter(login, "000000", key, from("10.0.0.7"))).toMatchObject(wrong);
        }
      }
    }
    // The other two users have reached 20 misses each; this user has none.
    expect(await enter("clerk", "999999", own, from("10.0.0.7"))).toMatchObject(locked);
    expect((await enter("clerk", "999999", own, from("10.0.0.8"))).status).toBe(200);
  });

  it("misses and locks are shown in the feed and the audit log [PEOPLE-63]", async () => {
    const { hub, enter, ids } = await startWithPins({ manager: PIN });
    const keys = await tablets(hub, 4);
    for (const key of keys) for (let miss = 1; miss <= 5; miss += 1) await enter("manager", "000000", key);
    const call = operatorOf(hub);
    const target = String(ids["manager"]);
    const { entries: audit } = (await call("audit")).body;
    for (const [n] of keys.entries()) {
      const note = { about: `tablet-${n}`, words: "127.0.0.1" };
      expect(audit).toContainEqual(expect.objectContaining({ action: "person.pin_locked", target, note }));
    }
    expect(audit).toContainEqual(expect.objectContaining({ action: "person.password_only", target }));
    const { entries: feed } = (await call("feed")).body;
    expect(feed).toContainEqual(
      expect.objectContaining({ kind: "pin_locked", detail: expect.objectContaining({ terminalId: "tablet-0" }) }),
    );
    expect(feed).toContainEqual(expect.objectContaining({ kind: "password_only", level: "warn" }));
  });
});

describe("managers' PINs", () => {
  it("a manager's PIN has 6 to 8 digits, at terminals and at the screens [PEOPLE-64]", async () => {
    const hub = await startTestHub();
    const token = await hub.signIn("manager");
    const refused = { status: 400, body: { errorCode: "VALIDATION_ERROR", error: expect.stringContaining("6 to 8") } };
    for (const pin of ["1234", "12345"]) {
      expect(await terminalApiOf(hub)("setPin", { token, body: { pin } })).toMatchObject(refused);
      expect(await operatorOf(hub)("setPin", { body: { pin } })).toMatchObject(refused);
    }
    expect((await terminalApiOf(hub)("setPin", { token, body: { pin: "123456" } })).status).toBe(200);
  });

  it("a PIN too short for a new manager opens nothing, and its tokens end [PEOPLE-64]", async () => {
    const { hub, enter, actor, ids, terminal } = await startWithPins({ cashier: "4711" });
    const token = await actor("cashier");
    const promoted = {
      uid: ids["cashier"],
      name: "Promoted",
      username: "cashier",
      pos: { role: "manager", permissions: [] },
    };
    const fault = { path: "/web/session/get_session_info", action: "status", status: 200 };
    await hub.backOffice.control("POST", "/faults", {
      faults: [{ ...fault, body: { jsonrpc: "2.0", result: promoted } }],
    });
    await hub.terminal({ login: "cashier", deviceId: "till" });
    await hub.backOffice.control("DELETE", "/faults");
    for (const pin of ["4711", "0000"]) {
      expect(await enter("cashier", pin)).toMatchObject({
        ...needsPassword,
        body: { error: expect.stringContaining("6 digits") },
      });
    }
    const change = {
      type: "ORDER_DISCARD",
      posReference: "A",
      baseVersion: 1,
      actor: token,
      mutationId: crypto.randomUUID(),
    };
    terminal.send(change);
    expect(await terminal.next("ORDER_REJECTED")).toMatchObject({ errorCode: "ACTOR_REFUSED" });
    expect((await operatorOf(hub)("people")).body.people).toMatchObject([{ id: ids["cashier"], tooShort: true }]);
  });
});

describe("new devices", () => {
  it("new devices of one user are accepted, however many come at once [TERM-110]", async () => {
    const hub = await startTestHub();
    const typeOf = async (deviceId: string) => (await authenticate(hub, "waiter", deviceId)).answer.type;
    const opened = await Promise.all(Array.from({ length: 100 }, (_, n) => typeOf(`w${n}`)));
    expect(opened.filter((type) => type !== "AUTH_OK")).toEqual([]);
  });

  it("new devices are marked until a manager confirms them or signs in there, and again with another key [OP-221]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const isNew = async () => {
      const { terminals } = (await call("terminals")).body as { terminals: { terminalId: string; isNew: boolean }[] };
      return Object.fromEntries(terminals.map((each) => [each.terminalId, each.isNew]));
    };
    const { deviceKey } = (await hub.terminal({ login: "waiter", deviceId: "a" })).hello;
    await hub.terminal({ login: "manager", deviceId: "b" });
    expect(await isNew()).toEqual({ a: true, b: false });
    expect((await call("confirmTerminal", { params: { terminalId: "a" } })).body).toEqual({ confirmed: true });
    expect(await call("confirmTerminal", { params: { terminalId: "none" } })).toMatchObject({ status: 404 });
    expect((await call("audit")).body.entries).toMatchObject([{ action: "terminal.confirm", target: "a" }]);
    await hub.restart();
    await hub.terminal({ login: "waiter", deviceId: "a", deviceKey });
    expect(await isNew()).toEqual({ a: false, b: false });
    await hub.terminal({ login: "waiter", deviceId: "a" });
    expect(await isNew()).toEqual({ a: true, b: false });
    await hub.terminal({ login: "manager", deviceId: "a" });
    expect(await isNew()).toEqual({ a: false, b: false });
  });
});

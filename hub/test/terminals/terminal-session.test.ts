import { connect } from "node:net";
import { DAY_MS, HubMessage, type HubMessageOf } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { manualClock } from "../support/manual-clock.ts";
import { odooError } from "../support/odoo-error.ts";
import { openSocket, refusedStatus } from "../support/open-socket.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { until } from "../support/until.ts";

describe("signing in", () => {
  it("AUTH needs only type, token and deviceId, and returns all that a terminal needs [TERM-1]", async () => {
    const hub = await startTestHub({
      env: { HUB_HEARTBEAT_MS: "7000", HUB_LEASE_TTL_MS: "9000", HUB_GRACE_MS: "3000" },
    });
    await until("the session to be read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token: await hub.signIn("cashier"), deviceId: "till-1" });
    expect(await terminal.first("AUTH_OK")).toEqual({
      actorToken: expect.any(String),
      // Null until the hub has read the back-office.
      menuVersion: expect.toBeOneOf([expect.any(String), null]),
      type: "AUTH_OK",
      terminalId: "till-1",
      user: { id: expect.any(Number), name: expect.any(String), role: "cashier", permissions: expect.any(Array) },
      deviceKey: expect.any(String),
      session: { active: true, id: expect.any(Number), name: expect.any(String) },
      hubId: expect.any(String),
      epoch: expect.any(String),
      protocolVersion: 1,
      caps: [],
      minClientVersion: null,
      heartbeatMs: 7000,
      leaseTtlMs: 9000,
      takeBackMs: 30_000,
      graceMs: 3000,
      mutationRate: 200,
      serverTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      offline: false,
    });
  });

  it.each([
    ["HEARTBEAT", { type: "HEARTBEAT" }],
    ["no JSON", "{"],
    ["an array", "[]"],
  ])("a connection is closed with 4401 when its first message is %s [TERM-2]", async (_, message) => {
    const hub = await startTestHub();
    const terminal = await openSocket(hub.url);
    terminal.send(message);
    expect(await terminal.first("AUTH_FAILED")).toMatchObject({ errorCode: "UNAUTHENTICATED" });
    expect(await terminal.closed).toBe(4401);
  });

  it.each([
    ["protocolVersion", "1"],
    ["clientTime", "yesterday"],
    ["since", { hubId: "h", seq: 0 }],
  ])("an AUTH with a malformed %s is closed with 4401, and the field is named [TERM-2]", async (field, value) => {
    const hub = await startTestHub();
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "till-1", [field]: value });
    const refusal = { errorCode: "VALIDATION_ERROR", error: expect.stringMatching(new RegExp(`^${field}[.:]`)) };
    expect(await terminal.first("AUTH_FAILED")).toMatchObject(refusal);
    expect(await terminal.closed).toBe(4401);
  });

  it("a connection without an AUTH within 10 s is closed with 4401 [TERM-3]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await openSocket(hub.url);
    clock.advance(9_999);
    expect(terminal.received).toEqual([]);
    clock.advance(1);
    expect(await terminal.closed).toBe(4401);
    expect(terminal.received).toMatchObject([{ type: "AUTH_FAILED", errorCode: "UNAUTHENTICATED" }]);
  });

  it("a token that the back-office refuses is closed with 4401 [TERM-4]", async () => {
    const hub = await startTestHub();
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token: "made-up", deviceId: "till-1" });
    expect(await terminal.first("AUTH_FAILED")).toMatchObject({ errorCode: "UNAUTHENTICATED" });
    expect(await terminal.closed).toBe(4401);
  });

  it.each(["hub", "a b", "ext:1", "", "x".repeat(65)])(
    "the deviceId %j is closed with 4403 [TERM-5]",
    async (deviceId) => {
      const hub = await startTestHub();
      const terminal = await openSocket(hub.url);
      terminal.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId });
      expect(await terminal.closed).toBe(4403);
      expect(terminal.received).toMatchObject([{ type: "AUTH_FAILED" }]);
    },
  );

  it.each([0, -1])("protocol version %i is closed with 4426 [TERM-6]", async (protocolVersion) => {
    const hub = await startTestHub();
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "till-1", protocolVersion });
    expect(await terminal.first("AUTH_FAILED")).toMatchObject({ errorCode: "PROTOCOL_TOO_OLD" });
    expect(await terminal.closed).toBe(4426);
  });

  it("a confirmed user is accepted for 24 h during an outage, and no other [TERM-7, TERM-8]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const token = await hub.signIn("waiter");
    const stranger = await hub.signIn("cashier");
    (await hub.terminal()).close();
    await hub.backOffice.kill();

    clock.advance(DAY_MS - 60_000);
    const known = await openSocket(hub.url);
    known.send({ type: "AUTH", token, deviceId: "till-1" });
    expect(await known.first("AUTH_OK")).toMatchObject({ offline: true, user: { role: "waiter" } });

    const unknown = await openSocket(hub.url);
    unknown.send({ type: "AUTH", token: stranger, deviceId: "till-2" });
    expect(await unknown.first("AUTH_FAILED")).toMatchObject({ errorCode: "UPSTREAM_UNAVAILABLE" });
    expect(await unknown.closed).toBe(4503);

    clock.advance(120_000);
    const late = await openSocket(hub.url);
    late.send({ type: "AUTH", token, deviceId: "till-1" });
    expect(await late.closed).toBe(4503);
  });

  it("a confirmed user is accepted during an outage after the clock was set back [TERM-7]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const token = await hub.signIn("waiter");
    (await hub.terminal()).close();
    await hub.backOffice.kill();
    clock.jumpWall(-3_600_000);
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token, deviceId: "till-1" });
    expect(await terminal.first("AUTH_OK")).toMatchObject({ offline: true });
  });

  it("a user whom the back-office has refused since is not accepted during an outage [TERM-8]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const token = await hub.signIn("waiter");
    (await hub.terminal()).close();
    await hub.backOffice.control("DELETE", "/user-sessions");
    const refused = await openSocket(hub.url);
    refused.send({ type: "AUTH", token, deviceId: "till-1" });
    expect(await refused.closed).toBe(4401);
    await hub.backOffice.kill();
    const again = await openSocket(hub.url);
    again.send({ type: "AUTH", token, deviceId: "till-1" });
    expect(await again.closed).toBe(4503);
  });

  it("a back-office that answers nonsense or asks to wait counts as unreachable [TERM-7]", async () => {
    const hub = await startTestHub();
    const token = await hub.signIn("waiter");
    (await hub.terminal()).close();
    for (const fault of [
      { action: "status", status: 502, body: {} },
      { action: "status", status: 429, body: { error: "slow down", errorCode: "RATE_LIMITED" } },
      { action: "status", status: 200, body: odooError("psycopg2.OperationalError") },
      { action: "status", status: 200, body: odooError("builtins.KeyError") },
      { action: "drop-before" },
      { action: "hang-before" },
    ]) {
      const faults = [{ path: "/web/session/get_session_info", ...fault }];
      await hub.backOffice.control("POST", "/faults", { faults });
      const terminal = await openSocket(hub.url);
      terminal.send({ type: "AUTH", token, deviceId: "till-1" });
      expect(await terminal.first("AUTH_OK")).toMatchObject({ offline: true });
      terminal.socket.close();
    }
  });

  it("a session that the back-office rotated is passed on to the terminal [TERM-9]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const token = await hub.signIn("waiter");
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "hard" });
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token, deviceId: "till-1" });
    const hello = await terminal.first("AUTH_OK");
    expect(hello).toMatchObject({ token: expect.any(String) });
    const rotated = hello.type === "AUTH_OK" ? hello.token : "";
    expect(rotated).not.toBe(token);
    const again = await openSocket(hub.url);
    again.send({ type: "AUTH", token: rotated, deviceId: "till-1" });
    expect(await again.first("AUTH_OK")).toMatchObject({ user: { role: "waiter" } });
  });

  it("the empty token is accepted only with HUB_DEV_AUTH [TERM-10]", async () => {
    const strict = await startTestHub();
    const refused = await openSocket(strict.url);
    refused.send({ type: "AUTH", token: "", deviceId: "till-1" });
    expect(await refused.closed).toBe(4401);

    const open = await startTestHub({ env: { HUB_DEV_AUTH: "true" } });
    const terminal = await openSocket(open.url);
    terminal.send({ type: "AUTH", token: "", deviceId: "till-1" });
    expect(await terminal.first("AUTH_OK")).toMatchObject({ terminalId: "till-1" });
    expect((await open.send("GET", "/health")).body).toMatchObject({ status: "degraded", reasons: ["dev_auth"] });
    expect(await refusedStatus(open.url, { origin: "https://evil.example" })).toBe(403);
    const wrong = await openSocket(open.url);
    wrong.send({ type: "AUTH", token: "made-up", deviceId: "till-2" });
    expect(await wrong.closed).toBe(4401);
  });

  it("only a terminal with the batch capability gets arrays [TERM-11]", async () => {
    const hub = await startTestHub();
    const batching = await openSocket(hub.url);
    batching.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "b", caps: ["batch", "holograms"] });
    expect(await batching.first("AUTH_OK")).toMatchObject({ caps: ["batch"] });
    const plain = await openSocket(hub.url);
    plain.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "p" });
    await plain.first("SYNC");
    const writer = await hub.terminal({ deviceId: "w" });
    await writer.change({
      type: "ORDER_UPSERT",
      posReference: "A",
      baseVersion: 0,
      snapshot: terminalSnapshot({ orderType: "dine_in", tableId: 3 }),
    });
    await plain.first("TABLE_CHANGED");
    await batching.first("TABLE_CHANGED");
    expect(plain.frames.filter((frame) => frame.startsWith("["))).toEqual([]);
    const together = batching.frames.filter((frame) => frame.startsWith("[")).map((frame) => JSON.parse(frame));
    expect(together.at(-1)).toMatchObject([{ type: "ORDER_CHANGED" }, { type: "TABLE_CHANGED" }]);
  });

  it.each(["https://evil.example", "null", "http://127.0.0.1:1", "http://hub.evil.example", "file://"])(
    "the Origin %s is refused with 403 [TERM-12]",
    async (origin) => {
      const hub = await startTestHub();
      expect(await refusedStatus(hub.url, { origin })).toBe(403);
    },
  );

  it("the hub's own addresses, the desktop client, the back-office and the allow-list may connect [TERM-12]", async () => {
    const hub = await startTestHub({ env: { HUB_ALLOWED_ORIGINS: "https://pos.example,https://b.example:8443" } });
    const origins = [
      hub.url,
      `http://localhost:${hub.port}`,
      "tauri://localhost",
      "http://tauri.localhost",
      "https://tauri.localhost",
      hub.backOffice.url,
      "https://pos.example",
      "https://b.example:8443",
    ];
    for (const origin of origins) (await openSocket(hub.url, { origin })).socket.close();
  });

  it("the desktop app's page may connect, and no page with a similar name [DESK-80]", async () => {
    const hub = await startTestHub();
    (await openSocket(hub.url, { origin: "app://terminal" })).socket.close();
    for (const origin of ["app://desktop", "app://terminal.example", "http://terminal"]) {
      expect(await refusedStatus(hub.url, { origin }), origin).toBe(403);
    }
  });

  it("a WebSocket on any other path is refused with 404 [TERM-13]", async () => {
    const hub = await startTestHub();
    expect(await refusedStatus(`${hub.url}/terminal`)).toBe(404);
  });

  it("the hub survives peers that disconnect while they are refused [TERM-13]", async () => {
    const hub = await startTestHub();
    const upgrade = `GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    for (let i = 0; i < 20; i += 1) {
      const socket = connect(hub.port, "127.0.0.1");
      socket.on("error", () => {});
      await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
      socket.write(upgrade);
      socket.resetAndDestroy();
    }
    expect((await hub.send("GET", "/health")).status).toBe(200);
  });

  it("a device's older connection is closed with 4409 [TERM-14]", async () => {
    const hub = await startTestHub();
    const older = await hub.terminal({ deviceId: "till-1" });
    const newer = await hub.terminal({ deviceId: "till-1" });
    expect(await older.closed).toBe(4409);
    newer.send({ type: "HEARTBEAT", requestId: "h" });
    expect(await newer.next("HEARTBEAT_ACK")).toMatchObject({ requestId: "h" });
    expect((await hub.send("GET", "/health")).body).toMatchObject({ connectedTerminals: 1 });
  });

  it("a device's newer connection stays when the older one is identified later [TERM-14]", async () => {
    const hub = await startTestHub();
    const token = await hub.signIn("waiter");
    const path = "/web/session/get_session_info";
    await hub.backOffice.control("POST", "/faults", { faults: [{ path, times: 1, latencyMs: 400 }] });
    const older = await openSocket(hub.url);
    older.send({ type: "AUTH", token, deviceId: "till-1" });
    await until("the older one's check", async () =>
      (await hub.backOffice.control("GET", "/requests")).requests.some(
        (request: { path: string }) => request.path === path,
      ),
    );
    const newer = await hub.terminal({ deviceId: "till-1" });
    expect(await older.closed).toBe(4409);
    expect(newer.socket.readyState).toBe(newer.socket.OPEN);
  });

  it("messages sent before AUTH_OK are handled in sequence, after the first SYNC [TERM-15]", async () => {
    const hub = await startTestHub();
    const terminal = await openSocket(hub.url);
    const upsert = (baseVersion: number, guestCount: number) => ({
      type: "ORDER_UPSERT",
      mutationId: crypto.randomUUID(),
      posReference: "EARLY",
      baseVersion,
      snapshot: terminalSnapshot({ guestCount }),
    });
    terminal.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "till-1" });
    for (let guests = 1; guests <= 20; guests += 1) terminal.send(upsert(guests - 1, guests));
    // Sends more right after AUTH_OK, while the first SYNC may still wait for a commit.
    await new Promise<void>((resolve) => {
      terminal.socket.on("message", (data: Buffer) => {
        if (!data.toString().includes("AUTH_OK")) return;
        for (let guests = 21; guests <= 40; guests += 1) terminal.send(upsert(guests - 1, guests));
        resolve();
      });
    });
    const acks = await until("all answers", () => {
      const answers = terminal.received.filter((message) => message.type === "ORDER_ACK");
      return answers.length === 40 && answers;
    });
    expect(acks.map((ack) => ack.version)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    const types = terminal.received.map((message) => message.type);
    expect(types.indexOf("SYNC")).toBeLessThan(types.indexOf("ORDER_ACK"));
  });

  it("a connection that floods before it is signed in is closed [TERM-17]", async () => {
    const hub = await startTestHub();
    await hub.backOffice.control("POST", "/faults", {
      faults: [{ path: "/web/session/get_session_info", latencyMs: 3_000 }],
    });
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId: "till-1" });
    const big = JSON.stringify({ type: "HEARTBEAT", filler: "x".repeat(900_000) });
    for (let i = 0; i < 10; i += 1) terminal.send(big);
    expect(await terminal.closed).toBe(1008);
    await hub.backOffice.control("DELETE", "/faults");
  });

  it("a client version below the minimum, or an invalid one, is refused, and a missing one is not [TERM-79]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    await hub.backOffice.control("POST", "/min-client-version", { version: "1.2.0" });
    const token = await hub.signIn("waiter");
    const authenticate = async (clientVersion: string | undefined) => {
      const socket = await openSocket(hub.url);
      socket.send({ type: "AUTH", token, deviceId: "till-1", clientVersion });
      return socket;
    };
    await until("the minimum to be read", async () => {
      const socket = await authenticate(undefined);
      const hello = (await socket.first("AUTH_OK")) as HubMessageOf<"AUTH_OK">;
      return hello.minClientVersion === "1.2.0";
    });
    const refused = await authenticate("1.1.9");
    expect(await refused.closed).toBe(4426);
    expect(refused.received).toEqual([
      {
        type: "AUTH_FAILED",
        errorCode: "CLIENT_TOO_OLD",
        error: expect.stringContaining("1.2.0"),
        minClientVersion: "1.2.0",
      },
    ]);
    for (const version of ["1.1", "banana", "2.4.9.9"]) expect(await (await authenticate(version)).closed).toBe(4426);
    for (const version of [undefined, "1.2.0", "2.0.0-rc.1", "1.2"]) {
      const socket = await authenticate(version);
      expect(await socket.first("AUTH_OK")).toMatchObject({ terminalId: "till-1" });
    }
  });
});

describe("messages", () => {
  it("an answer has the requestId of its message [TERM-20, TERM-25]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    terminal.send({ type: "HEARTBEAT", requestId: "r-1" });
    expect(await terminal.next("HEARTBEAT_ACK")).toEqual({
      type: "HEARTBEAT_ACK",
      requestId: "r-1",
      serverTime: expect.any(String),
    });
  });

  it.each([
    ["of a token that is refused", { type: "AUTH", token: "made-up", deviceId: "till-1" }],
    ["that is no AUTH", { type: "HEARTBEAT" }],
  ])("an AUTH_FAILED has the requestId of a first message %s [TERM-20]", async (_, message) => {
    const hub = await startTestHub();
    const terminal = await openSocket(hub.url);
    terminal.send({ ...message, requestId: "r-1" });
    expect(await terminal.first("AUTH_FAILED")).toMatchObject({ requestId: "r-1" });
  });

  it("a message that cannot be accepted is answered, and the connection continues [TERM-21]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const cases: [unknown, string][] = [
      [{ type: "DANCE", requestId: "1" }, "UNKNOWN_TYPE"],
      [{ requestId: "1" }, "VALIDATION_ERROR"],
      ["not json", "VALIDATION_ERROR"],
      ["[]", "VALIDATION_ERROR"],
      ["null", "VALIDATION_ERROR"],
      [{ type: "LEASE_ACQUIRE" }, "VALIDATION_ERROR"],
      [{ type: "AUTH", token: "x", deviceId: "y" }, "VALIDATION_ERROR"],
      [`{"type":"PRESENCE","deep":${"[".repeat(40)}${"]".repeat(40)}}`, "VALIDATION_ERROR"],
    ];
    for (const [message, errorCode] of cases) {
      terminal.socket.send(typeof message === "string" ? message : JSON.stringify(message));
      expect(await terminal.next("ERROR")).toMatchObject({ errorCode, retryable: false });
    }
    terminal.send({ type: "HEARTBEAT" });
    await terminal.next("HEARTBEAT_ACK");
  });

  it("unknown fields are ignored [TERM-22]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    terminal.send({ type: "HEARTBEAT", requestId: "r", mood: "sunny" });
    await terminal.next("HEARTBEAT_ACK", (answer) => answer.requestId === "r");
  });

  it("null counts as a left-out field where the field is optional [TERM-177]", async () => {
    const hub = await startTestHub();
    const terminal = await openSocket(hub.url);
    const nothing = {
      protocolVersion: null,
      clientVersion: null,
      clientTime: null,
      caps: null,
      since: null,
      outbox: null,
    };
    const auth = { type: "AUTH", token: await hub.signIn("waiter"), deviceId: "w", deviceKey: null, requestId: null };
    terminal.send({ ...auth, ...nothing });
    expect(await terminal.first("AUTH_OK")).toMatchObject({ protocolVersion: 1, caps: [] });
    const order = { posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() };
    terminal.send({ type: "ORDER_UPSERT", mutationId: crypto.randomUUID(), ...order, queuedAt: null, actor: null });
    await terminal.first("ORDER_ACK");
    terminal.send({ type: "ORDER_SEND", mutationId: crypto.randomUUID(), posReference: "A", lineIds: null });
    await terminal.first("TICKET_CHANGED");
    terminal.send({ type: "LEASE_ACQUIRE", posReference: "A", role: null, takeover: null });
    await terminal.first("LEASE_GRANTED");
    terminal.send({ type: "LEASE_ACQUIRE", posReference: null, requestId: "none" });
    expect(await terminal.first("ERROR")).toMatchObject({ errorCode: "VALIDATION_ERROR", requestId: "none" });
  });

  it("a malformed mutation is rejected under its id [TERM-23]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const mutationId = crypto.randomUUID();
    terminal.send({ type: "ORDER_UPSERT", mutationId, posReference: "A", baseVersion: "x", requestId: "r" });
    expect(await terminal.next("ORDER_REJECTED")).toMatchObject({
      mutationId,
      posReference: "A",
      requestId: "r",
      errorCode: "VALIDATION_ERROR",
      retryable: false,
      error: expect.stringContaining("baseVersion"),
    });
  });

  it.each([
    ["a reference", { posReference: "A".repeat(129) }],
    ["a reference", { posReference: "A\u0007" }],
    ["a requestId", { posReference: "A", requestId: "r\u0007" }],
  ])("%s that no message may have is left out of the answer [TERM-23]", async (_, fields) => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const mutationId = crypto.randomUUID();
    terminal.send({ type: "ORDER_SEND", mutationId, ...fields });
    const answer = await terminal.next("ORDER_REJECTED");
    expect(answer).toMatchObject({ mutationId, errorCode: "VALIDATION_ERROR" });
    expect(HubMessage.safeParse(answer).error).toBeUndefined();
  });

  it("a binary frame closes with 1003, and a message above 1 MiB with 1009 [TERM-24]", async () => {
    const hub = await startTestHub();
    const binary = await hub.terminal({ deviceId: "a" });
    binary.socket.send(Buffer.from("{}"), { binary: true });
    expect(await binary.closed).toBe(1003);
    const big = await hub.terminal({ deviceId: "b" });
    big.send({ type: "HEARTBEAT", requestId: "1", filler: "x".repeat(1_000_000) });
    await big.next("HEARTBEAT_ACK");
    big.send({ type: "HEARTBEAT", filler: "x".repeat(1_048_577) });
    expect(await big.closed).toBe(1009);
  });

  it("a terminal that is silent for two heartbeats is disconnected [TERM-26]", async () => {
    const hub = await startTestHub({ env: { HUB_HEARTBEAT_MS: "200" } });
    const silent = await hub.terminal({ deviceId: "silent" });
    const alive = await hub.terminal({ deviceId: "alive" });
    const beat = setInterval(() => alive.send({ type: "HEARTBEAT" }), 50);
    expect(await silent.closed).toBe(1008);
    clearInterval(beat);
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });

  it("presence is sent to the other terminals, not to its sender [TERM-27]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ login: "cashier", deviceId: "two" });
    one.send({ type: "PRESENCE", tableId: 4 });
    const presence = { type: "PRESENCE", terminalId: "one", userName: one.hello.user.name, tableId: 4 };
    expect(await two.next("PRESENCE")).toEqual(presence);
    const three = await hub.terminal({ login: "manager", deviceId: "three" });
    expect(await three.next("PRESENCE")).toEqual(presence);
    expect(one.received.filter((message) => message.type === "PRESENCE")).toEqual([]);
  });

  it("joining and leaving terminals are announced [TERM-28]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    await hub.terminal({ login: "cashier", deviceId: "two" });
    expect(await one.next("TERMINAL_JOINED")).toMatchObject({ terminalId: "two" });
    const again = await hub.terminal({ login: "cashier", deviceId: "two" });
    again.close();
    expect(await one.next("TERMINAL_LEFT")).toMatchObject({ terminalId: "two" });
    expect(one.received.filter((message) => message.type.startsWith("TERMINAL_"))).toHaveLength(2);
  });

  it("the closing and opening of the POS session is announced [TERM-29]", async () => {
    const hub = await startTestHub({ env: { HUB_STATE_POLL_MS: "200" } });
    await until("the session to be read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    const terminal = await hub.terminal();
    await hub.backOffice.control("POST", "/session", { open: false });
    expect(await terminal.next("SESSION_CHANGED")).toMatchObject({ session: { active: false } });
    await hub.backOffice.control("POST", "/session", { open: true });
    expect(await terminal.next("SESSION_CHANGED")).toMatchObject({ session: { active: true } });
  });

  it("the hub's status is sent at sign-in and when it changes [TERM-30]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    const terminal = await hub.terminal();
    await terminal.next("HUB_STATUS", (status) => status.backOffice === "up");
    await hub.backOffice.kill();
    expect(await terminal.next("HUB_STATUS", (status) => status.backOffice === "down")).toEqual({
      type: "HUB_STATUS",
      backOffice: "down",
      pendingForward: 0,
      attention: 0,
      diskLow: false,
    });
  });

  it("a stopping hub closes terminals with 1001, and accepts none that reconnects at once [TERM-31]", async () => {
    const hub = await startTestHub();
    const terminals = await Promise.all(["a", "b", "c"].map((deviceId) => hub.terminal({ deviceId })));
    const closeCodes = terminals.map(async (terminal) => {
      const code = await terminal.closed;
      await openSocket(hub.url).then(
        ({ socket }) => socket.close(),
        () => {},
      );
      return code;
    });
    await hub.restart();
    expect(await Promise.all(closeCodes)).toEqual([1001, 1001, 1001]);
  });

  it("the hub stores no token in plain text [TERM-16]", async () => {
    const hub = await startTestHub();
    const token = await hub.signIn("waiter");
    await hub.terminal();
    const { readFileSync } = await import("node:fs");
    const bytes = ["", "-wal"].map((suffix) => readFileSync(hub.dbPath + suffix, "latin1")).join("");
    expect(bytes).toContain("identities");
    expect(bytes).not.toContain(token);
  });
});

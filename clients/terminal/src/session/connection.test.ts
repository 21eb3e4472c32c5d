import type { HubMessage, TerminalMessage } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { manualWorld } from "../../test/manual-world.ts";
import { createConnection, type ConnectionState } from "./connection.ts";
import { createHello } from "./hello.ts";
import type { SocketListener } from "./socket.ts";
import { protocolSchemas } from "../schemas.ts";

const authOk: HubMessage = {
  type: "AUTH_OK",
  terminalId: "t1",
  user: { id: 1, name: "Ana", role: "waiter" },
  session: { active: true },
  hubId: "hub-1",
  epoch: "epoch-1",
  protocolVersion: 1,
  caps: ["batch"],
  minClientVersion: null,
  heartbeatMs: 20_000,
  leaseTtlMs: 60_000,
  graceMs: 10_000,
  serverTime: "2026-11-21T20:00:00.000Z",
  offline: false,
};

/** A connection whose sockets the test controls. */
function startConnection(
  renewToken: () => Promise<string | null> = async () => null,
  deviceKey: (hubId?: string) => string | undefined = () => undefined,
) {
  const world = manualWorld();
  const sockets: { listener: SocketListener; messages: TerminalMessage[]; closed: boolean }[] = [];
  const states: ConnectionState["name"][] = [];
  const received: HubMessage["type"][] = [];
  const tokens: string[] = [];
  const connection = createConnection({
    schemas: protocolSchemas,
    url: async () => "ws://hub",
    hello: createHello({
      deviceId: "t1",
      isRenamed: false,
      clientVersion: "1.4.0",
      deviceKey,
      since: () => ({ hubId: "hub-1", epoch: "epoch-1", seq: 7 }),
      report: () => ({ outbox: { pending: 2, oldestAt: null }, clientTime: "2026-11-21T19:00:00.000Z" }),
    }),
    token: "first",
    renewToken,
    openSocket(_url, listener) {
      const socket = { listener, messages: [] as TerminalMessage[], closed: false };
      sockets.push(socket);
      return {
        send: (text) => void socket.messages.push(JSON.parse(text) as TerminalMessage),
        close() {
          socket.closed = true;
        },
      };
    },
    world,
    events: {
      state: ({ name }) => states.push(name),
      authenticated: () => {},
      token: (token) => tokens.push(token),
      message: ({ type }) => received.push(type),
      lost: () => {},
      unreadable: () => {},
    },
  });
  const newest = () => sockets.at(-1) ?? expect.fail("no socket was opened");
  connection.start();
  return {
    connection,
    world,
    sockets,
    states,
    received,
    tokens,
    newest,
    tell: (message: object) => newest().listener.received(JSON.stringify(message)),
    async open() {
      const before = sockets.filter(({ messages }) => messages.length > 0).length;
      await expect.poll(() => sockets.length).toBeGreaterThan(before);
      newest().listener.opened();
    },
  };
}

describe("createConnection", () => {
  it("the connection sends AUTH first, with its place in history and its outbox [CLIENT-1]", async () => {
    const { open, newest } = startConnection();
    await open();
    expect(newest().messages).toEqual([
      {
        type: "AUTH",
        token: "first",
        deviceId: "t1",
        protocolVersion: 1,
        clientVersion: "1.4.0",
        clientTime: "2026-11-21T19:00:00.000Z",
        caps: ["batch", "offers", "proposals"],
        outbox: { pending: 2, oldestAt: null },
        since: { hubId: "hub-1", epoch: "epoch-1", seq: 7 },
      },
    ]);
  });

  it.each([
    [4409, "replaced"],
    [4403, "forbidden"],
    [4426, "protocol too old"],
  ])("the connection stays closed after close code %i [CLIENT-3]", async (code, reason) => {
    const { open, newest, connection, world, sockets } = startConnection();
    await open();
    newest().listener.closed(code, "");
    world.advance(3_600_000);
    expect(connection.state()).toMatchObject({ name: "ended", reason });
    expect(sockets.length).toBe(1);
    connection.start();
    await expect.poll(() => sockets.length).toBe(2);
  });

  it.each([4503, 1001, 1006, 1008, 1009])(
    "the connection is opened again after close code %i [CLIENT-5]",
    async (code) => {
      const { open, newest, connection, world, sockets } = startConnection();
      await open();
      newest().listener.closed(code, "");
      expect(connection.state()).toMatchObject({ name: "waiting", retryInMs: 500 });
      world.advance(500);
      await expect.poll(() => sockets.length).toBe(2);
    },
  );

  it("the waits start over once the shared state was complete [CLIENT-2]", async () => {
    const { open, newest, connection, world, tell } = startConnection();
    world.random = () => 0.999_99;
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await open();
      if (round === 1) {
        tell(authOk);
        connection.synced();
      }
      newest().listener.closed(1006, "");
      const state = connection.state();
      waits.push(state.name === "waiting" ? state.retryInMs : 0);
      world.advance(state.name === "waiting" ? state.retryInMs : 0);
    }
    expect(waits).toEqual([1_000, 1_000, 2_000]);
  });

  it("the connection asks for a token when its own is refused, and reports the hub's error if there is none [CLIENT-4]", async () => {
    const answers = ["second", null];
    const { open, newest, connection, world, tell } = startConnection(async () => answers.shift() ?? null);
    await open();
    newest().listener.closed(4401, "");
    await expect.poll(() => connection.state()).toMatchObject({ name: "waiting", retryInMs: 500 });
    world.advance(500);
    await open();
    expect(newest().messages[0]).toMatchObject({ type: "AUTH", token: "second" });
    tell({ type: "AUTH_FAILED", errorCode: "UNAUTHENTICATED", error: "signed out" });
    newest().listener.closed(4401, "");
    await expect
      .poll(() => connection.state())
      .toEqual({ name: "ended", reason: "unauthenticated", error: "signed out" });
  });

  it("the connection keeps its session if the hub may only have timed out waiting for AUTH, and asks once more [CLIENT-394]", async () => {
    let attempts = 0;
    const { open, newest, connection, world, tell } = startConnection(async () => {
      attempts += 1;
      return null;
    });
    // The device sleeps between the connection and AUTH.
    world.advance(10_000);
    await open();
    const refused = { type: "AUTH_FAILED", errorCode: "UNAUTHENTICATED", error: "no AUTH within 10 s" };
    tell(refused);
    newest().listener.closed(4401, "");
    expect([connection.state(), attempts]).toMatchObject([{ name: "waiting", retryInMs: 500 }, 0]);
    world.advance(500);
    await open();
    tell(refused);
    newest().listener.closed(4401, "");
    await expect.poll(() => connection.state()).toMatchObject({ name: "ended", reason: "unauthenticated" });
    expect(attempts).toBe(1);
  });

  it("the connection is opened at once when the device wakes up while it waits [TOUCH-150]", async () => {
    const { open, newest, connection, sockets } = startConnection();
    await open();
    newest().listener.closed(1006, "");
    expect(connection.state().name).toBe("waiting");
    expect(connection.wake()).toBe(false);
    await expect.poll(() => sockets.length).toBe(2);
  });

  it("a connection without a message for three seconds after the device woke up is renewed [TOUCH-150]", async () => {
    const { open, newest, connection, world, tell } = startConnection();
    await open();
    tell(authOk);
    expect(connection.wake()).toBe(true);
    tell({ type: "HEARTBEAT_ACK", serverTime: "2026-11-21T20:00:39.000Z" });
    world.advance(30_000);
    expect(connection.state().name).toBe("authenticated");
    expect(connection.wake()).toBe(true);
    world.advance(3_001);
    expect([connection.state().name, newest().closed]).toEqual(["waiting", true]);
  });

  it("a connection without a message for two heartbeats is renewed [CLIENT-6]", async () => {
    const { open, newest, connection, world, tell } = startConnection();
    await open();
    tell(authOk);
    world.advance(39_000);
    tell({ type: "HEARTBEAT_ACK", serverTime: "2026-11-21T20:00:39.000Z" });
    world.advance(39_000);
    expect(connection.state().name).toBe("authenticated");
    world.advance(1_001);
    expect([connection.state().name, newest().closed]).toEqual(["waiting", true]);
  });

  it("a connection that never gets to AUTH_OK is given up [CLIENT-6]", async () => {
    const { open, connection, world } = startConnection();
    await open();
    world.advance(15_001);
    expect(connection.state().name).toBe("waiting");
  });

  it("a rotated token is used from then on [CLIENT-10]", async () => {
    const { open, newest, world, tell } = startConnection();
    await open();
    tell({ ...authOk, token: "rotated" });
    newest().listener.closed(1006, "");
    world.advance(500);
    await open();
    expect(newest().messages[0]).toMatchObject({ type: "AUTH", token: "rotated" });
  });

  it("a token received within a session is used, and passed to the application [CLIENT-96]", async () => {
    const { open, newest, world, tell, tokens, received } = startConnection();
    await open();
    tell(authOk);
    tell({ type: "TOKEN_CHANGED", token: "rotated" });
    newest().listener.closed(1006, "");
    world.advance(500);
    await open();
    expect(newest().messages[0]).toMatchObject({ type: "AUTH", token: "rotated" });
    expect([tokens, received]).toEqual([["rotated"], []]);
  });

  it("the connection sends the key of the hub that it was on last [CLIENT-92]", async () => {
    const requested: unknown[] = [];
    const { open, newest } = startConnection(undefined, (hubId) => {
      requested.push(hubId);
      return "k-1";
    });
    await open();
    expect(newest().messages[0]).toMatchObject({ type: "AUTH", deviceKey: "k-1" });
    expect(requested).toEqual(["hub-1"]);
  });

  it("the connection ends as taken when the device is registered to another person [CLIENT-93]", async () => {
    const { open, newest, connection, world, sockets, tell } = startConnection(undefined, () => "k-1");
    await open();
    tell({ type: "AUTH_FAILED", errorCode: "DEVICE_TAKEN", error: "t1 is Ana's terminal", hubId: "hub-1" });
    newest().listener.closed(4403, "");
    expect(connection.state()).toEqual({ name: "ended", reason: "device taken", error: "t1 is Ana's terminal" });
    world.advance(3_600_000);
    expect(sockets.length).toBe(1);
  });

  it("the connection sends another hub its own key, once [CLIENT-93]", async () => {
    const { open, newest, connection, world, sockets, tell } = startConnection(undefined, (hubId) => `key of ${hubId}`);
    const failure = { type: "AUTH_FAILED", errorCode: "DEVICE_TAKEN", error: "taken", hubId: "hub-2" };
    await open();
    expect(newest().messages[0]).toMatchObject({ deviceKey: "key of hub-1" });
    tell(failure);
    newest().listener.closed(4403, "");
    world.advance(500);
    await open();
    expect(newest().messages[0]).toMatchObject({ deviceKey: "key of hub-2" });
    tell(failure);
    newest().listener.closed(4403, "");
    world.advance(3_600_000);
    expect([connection.state().name, sockets.length]).toEqual(["ended", 2]);
  });

  it("the connection ends as too old, with the required version [CLIENT-94]", async () => {
    const { open, newest, connection, world, sockets, tell } = startConnection();
    await open();
    const error = "this terminal has version 1.4.0, and 1.5.0 or later is needed; update it";
    tell({ type: "AUTH_FAILED", errorCode: "CLIENT_TOO_OLD", error, minClientVersion: "1.5.0" });
    newest().listener.closed(4426, "");
    const ended = { name: "ended", reason: "client too old", error, minClientVersion: "1.5.0" };
    expect(connection.state()).toEqual(ended);
    world.advance(3_600_000);
    expect(sockets.length).toBe(1);
  });

  it("arrays of messages are read, and unknown messages ignored [CLIENT-23]", async () => {
    const { open, tell, received, newest } = startConnection();
    await open();
    tell([authOk, { type: "WEATHER", sunny: true }, { type: "HEARTBEAT_ACK", serverTime: "2026-11-21T20:00:00.000Z" }]);
    newest().listener.received("no JSON");
    tell({ type: "SESSION_CHANGED", session: { active: false } });
    expect(received).toEqual(["HEARTBEAT_ACK", "SESSION_CHANGED"]);
  });

  it("messages of an older connection are ignored", async () => {
    const { open, newest, connection, world, received } = startConnection();
    await open();
    const older = newest();
    older.listener.closed(1006, "");
    world.advance(500);
    await open();
    older.listener.received(JSON.stringify({ type: "SESSION_CHANGED", session: { active: false } }));
    older.listener.closed(4409, "");
    expect([received, connection.state().name]).toEqual([[], "connecting"]);
  });
});

import type { HubMessageOf } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { openSocket, type OpenSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import type { TestHub } from "../support/start-test-hub.ts";
import { startWithPins } from "../support/start-with-pins.ts";
import { until } from "../support/until.ts";

interface Attempt {
  deviceId: string;
  deviceKey: string | undefined;
  login?: string;
  renamed?: true;
}

async function authenticate(hub: TestHub, { login = "waiter", ...device }: Attempt): Promise<OpenSocket> {
  const socket = await openSocket(hub.url);
  socket.send({ type: "AUTH", token: await hub.signIn(login), ...device });
  return socket;
}

async function enterAs(hub: TestHub, attempt: Attempt) {
  const socket = await authenticate(hub, attempt);
  return { ...socket, hello: (await socket.first("AUTH_OK")) as HubMessageOf<"AUTH_OK"> };
}

async function namesOf(hub: TestHub): Promise<string[]> {
  const { terminals } = (await operatorOf(hub)("terminals")).body as { terminals: { terminalId: string }[] };
  return terminals.map(({ terminalId }) => terminalId).toSorted();
}

describe("renamed devices", () => {
  it("a renamed device stays one confirmed device with its key, and the audit log says who renamed it [PEOPLE-95] [OP-530]", async () => {
    const { hub, deviceKey, terminal } = await startWithPins({ cashier: "4711" });
    const call = operatorOf(hub);
    const renamed = await enterAs(hub, { deviceId: "barra", deviceKey, renamed: true });
    expect(renamed.hello).toMatchObject({ terminalId: "barra", user: { role: "waiter" } });
    expect(renamed.hello.deviceKey).toBeUndefined();
    expect(await terminal.closed).toBe(4409);
    expect(await namesOf(hub)).toEqual(["barra"]);
    const [row] = (await call("terminals")).body.terminals;
    expect(row).toMatchObject({ terminalId: "barra", isNew: false });
    const expected = {
      action: "terminal.rename",
      target: "barra",
      note: { words: "tablet" },
      userName: "Wendy Almonte",
    };
    expect((await call("audit")).body.entries[0]).toMatchObject(expected);
    expect((await call("feed")).body.entries).toContainEqual(
      expect.objectContaining({
        kind: "terminal_renamed",
        detail: { terminalId: "barra", userName: "Wendy Almonte", text: "tablet" },
      }),
    );
    // The terminal repeats `renamed` at each sign-in, but the rename is recorded once.
    await enterAs(hub, { deviceId: "barra", deviceKey, renamed: true });
    await hub.restart();
    await enterAs(hub, { deviceId: "barra", deviceKey, renamed: true });
    const renames = (await call("audit")).body.entries.filter(
      ({ action }: { action: string }) => action === "terminal.rename",
    );
    expect(renames).toHaveLength(1);
    expect(await namesOf(hub)).toEqual(["barra"]);
  });

  it("a renamed device keeps its PINs, its tokens and the counted misses [PEOPLE-96]", async () => {
    const { hub, deviceKey, enter, actor } = await startWithPins({ cashier: "4711", manager: "123456" });
    const token = await actor("manager");
    for (let miss = 1; miss <= 5; miss += 1) expect((await enter("cashier", "0000")).status).toBe(401);
    const { send, received } = await enterAs(hub, { deviceId: "barra", deviceKey, renamed: true });
    expect(await enter("cashier", "4711")).toMatchObject({ status: 429, body: { errorCode: "RATE_LIMITED" } });
    expect((await enter("manager", "123456")).status).toBe(200);
    const mutationId = crypto.randomUUID();
    const snapshot = terminalSnapshot();
    send({ type: "ORDER_UPSERT", mutationId, posReference: "R/1", baseVersion: 0, snapshot, actor: token });
    await until("the answer", () => received.some(({ type }) => type === "ORDER_ACK" || type === "ORDER_REJECTED"));
    expect(received).toContainEqual(expect.objectContaining({ type: "ORDER_ACK", mutationId }));
    const { versions } = (await operatorOf(hub)("orderVersions", { params: { posReference: "R/1" } })).body;
    expect(versions[0]).toMatchObject({ userName: "Marisol Peña" });
  });

  it("a device cannot take another device's name, not even for a manager, and its old name becomes free [PEOPLE-97]", async () => {
    const { hub, deviceKey, call } = await startWithPins({ cashier: "4711" });
    const till = await enterAs(hub, { deviceId: "caja", deviceKey: undefined, login: "cashier" });
    const isFree = async (name: string) => (await call("deviceName", { query: { deviceKey, name } })).body.isFree;
    expect([await isFree("caja"), await isFree("barra"), await isFree("tablet")]).toEqual([false, true, true]);
    for (const login of ["cashier", "manager"]) {
      const refused = await authenticate(hub, { deviceId: "caja", deviceKey, renamed: true, login });
      expect(await refused.closed).toBe(4403);
      expect(refused.received).toEqual([
        expect.objectContaining({
          type: "AUTH_FAILED",
          errorCode: "DEVICE_TAKEN",
          error: expect.stringMatching(/caja/),
        }),
      ]);
    }
    expect(till.socket.readyState).toBe(till.socket.OPEN);
    expect(await namesOf(hub)).toEqual(["caja", "tablet"]);

    await enterAs(hub, { deviceId: "barra", deviceKey, renamed: true });
    const next = await enterAs(hub, { deviceId: "tablet", deviceKey: undefined, login: "cashier" });
    expect(next.hello.deviceKey).toMatch(/^[\w-]{43}$/);
    expect(await namesOf(hub)).toEqual(["barra", "caja", "tablet"]);
  });

  it("a device without a known key, or without the renamed flag, is a new device [PEOPLE-95]", async () => {
    const { hub, deviceKey } = await startWithPins({ cashier: "4711" });
    const created = await enterAs(hub, { deviceId: "barra", deviceKey: "made-up", renamed: true });
    expect(created.hello.deviceKey).toMatch(/^[\w-]{43}$/);
    const unrenamed = await enterAs(hub, { deviceId: "terraza", deviceKey });
    expect(unrenamed.hello.deviceKey).toMatch(/^[\w-]{43}$/);
    expect(await namesOf(hub)).toEqual(["barra", "tablet", "terraza"]);
  });

  it("a session can check whether a name is unused before a device's first sign-in [TAPI-131]", async () => {
    const { hub, call } = await startWithPins({ cashier: "4711" });
    const token = await hub.signIn("waiter");
    const isFree = async (name: string) => (await call("unusedName", { token, query: { name } })).body.isFree;
    expect([await isFree("tablet"), await isFree("barra")]).toEqual([false, true]);
    expect(await call("unusedName", { token: null, query: { name: "barra" } })).toMatchObject({ status: 401 });
    expect(await call("unusedName", { token, query: { name: "hub" } })).toMatchObject({ status: 400 });
  });

  it("only a known device can check whether a name is free, and invalid names are refused [TAPI-131]", async () => {
    const { call, deviceKey } = await startWithPins({ cashier: "4711" });
    const query = { deviceKey: "made-up", name: "caja" };
    expect(await call("deviceName", { query })).toMatchObject({ status: 401 });
    for (const name of ["hub", "una caja", ""]) {
      expect(await call("deviceName", { query: { deviceKey, name } }), name).toMatchObject({ status: 400 });
    }
  });
});

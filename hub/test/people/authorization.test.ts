import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { connectTerminal, type TestTerminal } from "../support/connect-terminal.ts";
import { openSocket } from "../support/open-socket.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";

interface Row {
  /** Route or message type, with its content where that matters. */
  name: string;
  /** Expected result by caller. */
  cells: ReadonlyMap<string, string>;
}

const repo = path.resolve(import.meta.dirname, "../../..");

/** Parses the tables of the chapter "Who may do what" in docs/security.md. */
function readTables(): Row[] {
  let callers: string[] = [];
  const [, chapter = ""] = readFileSync(path.join(repo, "docs/security.md"), "utf8").split("\n## Who may do what\n");
  return chapter.split("\n").flatMap((line) => {
    if (!line.startsWith("| ")) return [];
    const [name = "", ...cells] = line.slice(2, -2).split(" | ");
    if (name === "route" || name === "message") callers = cells;
    if (!name.startsWith("`")) return [];
    return [{ name: name.replaceAll(/`| \*$/g, ""), cells: new Map(cells.map((cell, i) => [callers[i] ?? "", cell])) }];
  });
}

const rows = readTables();
const routes = rows.filter(({ name }) => name.includes(" /"));
const messages = rows.filter(({ name }) => !name.includes(" /"));

async function signIn(hub: TestHub, login: string): Promise<string> {
  const body = { login, password: login };
  return (await terminalApiOf(hub)("signIn", { body, token: null })).body.token as string;
}

async function atScreens(hub: TestHub): Promise<string> {
  const body = { login: "manager", password: "manager" };
  return (await operatorOf(hub)("signIn", { body, token: null })).body.token as string;
}

const roles: Readonly<Record<string, string>> = { "waiter, cook": "waiter", cashier: "cashier" };

/** Signs a caller in with a new session. Returns null for callers without a session. */
async function sessionOf(hub: TestHub, caller: string): Promise<string | null> {
  if (caller === "manager at a terminal") return signIn(hub, "manager");
  if (caller === "manager") return atScreens(hub);
  if (caller in roles) return signIn(hub, roles[caller] ?? "");
  if (caller !== "signed out") return null;
  const token = await atScreens(hub);
  await operatorOf(hub)("signOut", { token });
  return token;
}

describe("routes", { timeout: 120_000 }, () => {
  it("every route serves and refuses each caller as docs/security.md says [HUB-90]", async () => {
    const hub = await startTestHub({ env: { HUB_ENABLED_PLUGINS: "reservations" } });
    const callers = [...(routes[0]?.cells.keys() ?? [])];
    const keys = new Map<string, string>();
    for (const scope of ["read", "orders:write", "webhooks:manage", "plugins:write"] as const) {
      keys.set(scope, (await hub.createKey([scope])).token);
    }
    const disabled = await hub.createKey();
    keys.set("disabled key", disabled.token);
    await hub.admin().patch(`/${disabled.keyId}`, { enabled: false });
    const devices = await signInDevices(hub);

    async function statusFor(name: string, caller: string, session: string | null): Promise<number> {
      const [method = "", template = ""] = name.split(" ");
      const localAddress = `127.0.1.${callers.indexOf(caller) + 1}`;
      if (template === "/operator/v1/stream") {
        const stream = await openStream(hub, { token: session, localAddress });
        stream.close();
        return stream.status;
      }
      const target = template.replace(":pluginId", "reservations").replaceAll(/:\w+/g, "1");
      const isForDevices =
        ["/terminal/v1/people", "/terminal/v1/device-name"].includes(target) ||
        (target === "/terminal/v1/pin" && method === "POST");
      const deviceKey = devices.keys.get(caller) ?? "made-up";
      const search = isForDevices && method === "GET" ? `?deviceKey=${deviceKey}&name=caja` : "";
      const body = isForDevices ? { deviceKey, userId: devices.userId, pin: devices.pin } : {};
      const token = template.endsWith("/sign-out") ? await sessionOf(hub, caller) : session;
      const key = keys.get(caller);
      const answer = await hub.send(method, target + search, {
        headers: {
          ...(token !== null && { Authorization: `Bearer ${token}` }),
          ...(key !== undefined && { "X-Api-Key": key }),
        },
        ...(method !== "GET" && method !== "DELETE" && { body }),
        localAddress,
      });
      return answer.status;
    }

    const found: Record<string, Record<string, string>> = {};
    for (const caller of callers) {
      const session = await sessionOf(hub, caller);
      for (const { name } of routes) {
        const status = await statusFor(name, caller, session);
        (found[name] ??= {})[caller] = status === 401 || status === 403 ? String(status) : "yes";
      }
    }
    expect(found).toEqual(Object.fromEntries(routes.map(({ name, cells }) => [name, Object.fromEntries(cells)])));
  });
});

/** Creates keys of a known and a forgotten device, and a PIN that is valid at the known one. */
async function signInDevices(hub: TestHub) {
  const pin = "4711";
  await terminalApiOf(hub)("setPin", { token: await hub.signIn("waiter"), body: { pin } });
  const known = await hub.terminal({ deviceId: "known" });
  const forgotten = await hub.terminal({ deviceId: "forgotten" });
  await operatorOf(hub)("forgetTerminal", { params: { terminalId: "forgotten" } });
  const keys = new Map([
    ["device", known.hello.deviceKey ?? ""],
    ["forgotten device", forgotten.hello.deviceKey ?? ""],
  ]);
  return { keys, pin, userId: known.hello.user.id };
}

describe("messages", () => {
  let hub: TestHub;
  let boss: TestTerminal;
  let references = 0;
  beforeAll(async () => {
    hub = await startTestHub();
    boss = await hub.terminal({ login: "manager", deviceId: "boss" });
  });

  async function connect(token: string | null, deviceId: string): Promise<TestTerminal> {
    const terminal = await connectTerminal(`ws://127.0.0.1:${hub.port}/`, { type: "AUTH", token, deviceId });
    onTestFinished(terminal.close);
    return terminal;
  }

  /** Creates an order as manager. */
  async function order(): Promise<{ posReference: string; baseVersion: number }> {
    const posReference = `A/${(references += 1)}`;
    await boss.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
    return { posReference, baseVersion: 1 };
  }

  /** Opens a shift as manager, at a new till. */
  async function shift(): Promise<{ tillId: string; shiftId: string }> {
    const tillId = `t${(references += 1)}`;
    const token = await hub.signIn("manager");
    await operatorOf(hub)("createTill", { token, body: { id: tillId, name: tillId, terminals: [] } });
    const shiftId = crypto.randomUUID();
    await boss.request({ type: "TILL_OPEN", mutationId: crypto.randomUUID(), tillId, shiftId, float: 1_000 });
    return { tillId, shiftId };
  }

  const complimentary = terminalSnapshot({
    lines: [{ id: "a", productId: 101, quantity: 2, unitPrice: 50, total: 0, voided: true, comp: true }],
  });
  const discounted = terminalSnapshot({ adjustments: [{ kind: "discount", amount: -10 }] });
  const ticket = { kitchenTicketId: "none" };
  const money = { methodId: 1, amount: 10 };
  /** Creates the content of each message type. Every call creates new content. */
  const contents: Record<string, () => Promise<object> | object> = {
    HEARTBEAT: () => ({}),
    RESYNC: () => ({}),
    PRESENCE: () => ({}),
    LEASE_ACQUIRE: order,
    "LEASE_ACQUIRE takeover": async () => {
      const { posReference } = await order();
      await boss.request({ type: "LEASE_ACQUIRE", posReference });
      return { posReference, takeover: true };
    },
    LEASE_RELEASE: order,
    TABLE_LOCK: () => ({ tableId: 1 }),
    TABLE_UNLOCK: () => ({ tableId: 1 }),
    "TABLE_UNLOCK of another terminal": async () => {
      await boss.request({ type: "TABLE_LOCK", tableId: 2 });
      return { tableId: 2 };
    },
    TABLE_RESERVE: () => ({ tableId: 3 }),
    TABLE_UNRESERVE: () => ({ tableId: 3 }),
    ORDER_OFFER: () => ({ epoch: "another", orders: [] }),
    ORDER_UPSERT: async () => ({ ...(await order()), snapshot: terminalSnapshot({ guests: 2 }) }),
    "ORDER_UPSERT with a discount": async () => ({ ...(await order()), snapshot: discounted }),
    "ORDER_UPSERT with a comp": async () => ({ ...(await order()), snapshot: complimentary }),
    ORDER_BATCH: async () => ({ orders: [{ ...(await order()), snapshot: terminalSnapshot({ guests: 2 }) }] }),
    "ORDER_BATCH with a discount": async () => ({ orders: [{ ...(await order()), snapshot: discounted }] }),
    ORDER_SEND: order,
    KITCHEN_SEEN: () => ({ ...ticket, stationId: "cocina" }),
    KITCHEN_BUMP: () => ({ ...ticket, lineId: "a", preparedQuantity: 1 }),
    KITCHEN_SERVED: () => ticket,
    KITCHEN_PRIORITY: () => ({ ...ticket, priority: true }),
    ITEM_STATE_SET: () => ({ productId: 101, state: "available" }),
    ORDER_CHECKOUT: order,
    ORDER_REOPEN: order,
    ORDER_PAY: async () => ({ ...(await order()), payments: [{ methodId: 1, amount: 100 }] }),
    ORDER_TENDER: async () => ({ ...(await order()), ...money, tenderId: crypto.randomUUID() }),
    ORDER_TENDER_VOID: async () => {
      const tenderId = crypto.randomUUID();
      await boss.change({ type: "ORDER_TENDER", ...(await order()), ...money, tenderId });
      return { tenderId, reason: "a mistake" };
    },
    TILL_OPEN: async () => ({ ...(await shift()), shiftId: crypto.randomUUID(), float: 0 }),
    TILL_MOVE: async () => ({ ...(await shift()), kind: "in", amount: 10, reason: "change" }),
    TILL_COUNT: async () => ({ ...(await shift()), counted: [{ methodId: 1, amount: 1_000 }] }),
    "TILL_COUNT beyond the tolerance": async () => ({ ...(await shift()), counted: [{ methodId: 1, amount: 1 }] }),
    TILL_DRAWER: async () => ({ ...(await shift()), reason: "change" }),
    ORDER_DISCARD: order,
    "ORDER_DISCARD with payments": async () => {
      const { posReference } = await order();
      await boss.change({ type: "ORDER_TENDER", posReference, ...money, tenderId: crypto.randomUUID() });
      return { posReference, baseVersion: 2 };
    },
    "ORDER_DISCARD with work in the kitchen": async () => {
      const { posReference } = await order();
      await boss.change({ type: "ORDER_SEND", posReference });
      return { posReference, baseVersion: 2 };
    },
  };

  async function messageOf(name: string): Promise<Record<string, unknown>> {
    const content = await contents[name]?.();
    if (content === undefined) throw new Error(`this test has no content for ${name}`);
    return { type: name.split(" ")[0] ?? "", mutationId: crypto.randomUUID(), ...content };
  }

  async function answerTo(terminal: TestTerminal, name: string): Promise<string> {
    const message = { ...(await messageOf(name)), requestId: crypto.randomUUID() };
    // An accepted PRESENCE has no answer. A refusal would arrive before the answer to the HEARTBEAT.
    if (name === "PRESENCE") terminal.send(message);
    const answer = await terminal.request(name === "PRESENCE" ? { type: "HEARTBEAT" } : message);
    const refusal =
      terminal.received.find((each) => "requestId" in each && each.requestId === message.requestId) ?? answer;
    const code = "errorCode" in refusal ? refusal.errorCode : null;
    // Only the takeover meets another user's lease here.
    if (code === "LEASE_HELD") return code;
    // APPROVAL_NEEDED also means that the caller may not do it alone.
    return code === "FORBIDDEN" || code === "APPROVAL_NEEDED" ? "FORBIDDEN" : "yes";
  }

  /** Sends a first message. Returns the code with which the hub closes the connection, or `yes` if it accepts. */
  async function firstMessage(message: unknown): Promise<string> {
    const socket = await openSocket(hub.url);
    socket.send(message);
    const answer = await Promise.race([socket.first("AUTH_OK").then(() => "yes"), socket.closed.then(String)]);
    socket.socket.close();
    return answer;
  }

  const columnOf = (caller: string) => Object.fromEntries(messages.map(({ name, cells }) => [name, cells.get(caller)]));

  it.for(["waiter, cook", "cashier", "manager", "manager at a terminal"])(
    "each message is accepted or refused as docs/security.md says for %s [HUB-90]",
    async (caller) => {
      const token = await sessionOf(hub, caller);
      const device = caller.replaceAll(/\W+/g, "-");
      const found: Record<string, string> = {
        AUTH: await firstMessage({ type: "AUTH", token, deviceId: `${device}-2` }),
      };
      const terminal = await connect(token, device);
      for (const { name } of messages) if (name !== "AUTH") found[name] = await answerTo(terminal, name);
      expect(found).toEqual(columnOf(caller));
    },
  );

  it("no message is accepted before AUTH, and no AUTH with an API key [HUB-90]", async () => {
    const found: Record<string, string> = {};
    const auth = { type: "AUTH", token: await hub.signIn("waiter"), deviceId: "new" };
    for (const { name } of messages) found[name] = await firstMessage(name === "AUTH" ? auth : await messageOf(name));
    expect(found).toEqual(columnOf("nobody"));
    const { token } = await hub.createKey();
    for (const name of Object.keys(found)) {
      found[name] = await firstMessage(name === "AUTH" ? { ...auth, token } : await messageOf(name));
    }
    expect(found).toEqual(columnOf("API key"));
  });

  it("the connections of a signed-out user and of a forgotten device are closed as docs/security.md says [HUB-90]", async () => {
    const token = await signIn(hub, "cashier");
    const signedOut = await connect(token, "left");
    await terminalApiOf(hub)("signOut", { token });
    const afterwards = { AUTH: await firstMessage({ type: "AUTH", token, deviceId: "left" }) };
    const closedWith = String(await signedOut.closed);
    expect({ ...Object.fromEntries(messages.map(({ name }) => [name, closedWith])), ...afterwards }).toEqual(
      columnOf("signed out"),
    );

    const waiter = await hub.signIn("waiter");
    const forgotten = await connect(waiter, "forgotten");
    await operatorOf(hub)("forgetTerminal", { params: { terminalId: "forgotten" } });
    const { deviceKey } = forgotten.hello;
    const again = { AUTH: await firstMessage({ type: "AUTH", token: waiter, deviceId: "forgotten", deviceKey }) };
    const closed = String(await forgotten.closed);
    expect({ ...Object.fromEntries(messages.map(({ name }) => [name, closed])), ...again }).toEqual(
      columnOf("forgotten device"),
    );
  });
});

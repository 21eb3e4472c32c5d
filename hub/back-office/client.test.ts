import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../test/support/free-port.ts";
import { startTestHub } from "../test/support/start-test-hub.ts";
import { realWorld } from "../platform/world.ts";
import { BackOfficeError } from "./back-office-error.ts";
import { createBackOfficeClient } from "./client.ts";

function clientOf(url: string) {
  const contacts: boolean[] = [];
  const world = realWorld(pino({ level: "silent" }));
  const onContact = (reached: boolean): void => void contacts.push(reached);
  const client = createBackOfficeClient({ world, url, db: "demo", onContact });
  onTestFinished(client.stop);
  return { ...client, contacts };
}

type Client = ReturnType<typeof clientOf>;

const person = { uid: 7, name: "Ana", username: "ana", pos: { role: "manager", permissions: [] } };

/** Starts a server that handles every request with `answer`. */
async function startServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a server that sends the result of `answer` for each request body, and counts connections. */
async function startRpcServer(
  answer: (body: { id?: string; params?: { method?: string } }) => unknown,
): Promise<{ url: string; connections(): number }> {
  const sockets = new Set<unknown>();
  const url = await startServer((request, response) => {
    sockets.add(request.socket);
    void json(request).then((body) => {
      const headers = { "content-type": "application/json", "set-cookie": "session_id=next" };
      response.writeHead(200, headers).end(JSON.stringify(answer(body as Parameters<typeof answer>[0])));
    });
  });
  return { url, connections: () => sockets.size };
}

function reply(status: number, type: string, body: string): RequestListener {
  return (_, response) => void response.writeHead(status, { "content-type": type }).end(body);
}

const mismatched = { kind: "unreachable", reason: "mismatched" };

describe("answers of the back-office", () => {
  it.each([
    ["the id that was sent", (id: unknown) => ({ id })],
    ["an id of the server's own", () => ({ id: 1 })],
    ["a text of the server's own", () => ({ id: "call-1" })],
    ["null", () => ({ id: null })],
    ["none", () => ({})],
  ])("an answer with %s as its id is accepted [FWD-22]", async (_, idOf) => {
    const { url } = await startRpcServer(({ id }) => ({ jsonrpc: "2.0", ...idOf(id), result: person }));
    expect(await clientOf(url).sessionInfo("t")).toMatchObject({ value: { userId: 7 }, token: "next" });
  });

  it.each([
    ["absent", {}],
    ["null", { pos: null, server_version: null, server_version_info: null }],
  ])("a session answer whose role is %s takes the role from has_group [BO-111]", async (_, absent) => {
    const { pos: _pos, ...plain } = person;
    const { url } = await startRpcServer(({ params }) => ({
      jsonrpc: "2.0",
      result: params?.method === "has_group" ? true : { ...plain, ...absent },
    }));
    expect(await clientOf(url).sessionInfo("t")).toMatchObject({ value: { userId: 7, role: "manager" } });
  });

  it("an answer may hold null for the fields that it lacks [FWD-51]", async () => {
    const nothing = { orderId: null, error: null, errorCode: null };
    const done = { eventId: 7, status: "finalized", ...nothing };
    const event = { eventId: 7, type: "hub_finalize", posReference: "A", createdAt: "", orderJson: "{}" };
    const plain = await startRpcServer(() => done);
    expect(await clientOf(plain.url).finalize("t", event)).toMatchObject({ value: { status: "finalized" } });
    const refused = { eventId: 8, status: "failed", ...nothing };
    const wrapped = await startRpcServer(() => ({ jsonrpc: "2.0", error: null, result: { results: [done, refused] } }));
    const { value } = await clientOf(wrapped.url).batchSync("t", Buffer.from("{}"), [7, 8]);
    expect([...value.values()].map(({ status }) => status)).toEqual(["finalized", "failed"]);
  });

  it("an answer or error with the id of an earlier call is rejected [FWD-22]", async () => {
    const ids: string[] = [];
    const other = await startRpcServer(({ id = "" }) => {
      ids.push(id);
      return { jsonrpc: "2.0", id: ids.at(-2) ?? id, result: person };
    });
    const client = clientOf(other.url);
    await client.sessionInfo("t");
    await expect(client.sessionInfo("t")).rejects.toMatchObject(mismatched);
    expect(new Set(ids).size).toBe(2);
    const error = { code: 100, message: "Odoo Session Expired" };
    const dead = await startRpcServer(() => ({ jsonrpc: "2.0", id: ids[0], error }));
    await expect(clientOf(dead.url).sessionInfo("t")).rejects.toMatchObject(mismatched);
    const wrapped = await startRpcServer(() => ({ jsonrpc: "2.0", id: ids[0], result: { orders: [] } }));
    await expect(clientOf(wrapped.url).lookup("t", ["A"])).rejects.toMatchObject(mismatched);
  });

  it("a sign-in answer that names another login, ignoring case, is rejected [FWD-22]", async () => {
    const { url } = await startRpcServer(() => ({ jsonrpc: "2.0", id: null, result: person }));
    const client = clientOf(url);
    expect(await client.authenticate("Ana", "x")).toMatchObject({ value: { userName: "Ana" }, token: "next" });
    await expect(client.authenticate("luis", "x")).rejects.toMatchObject(mismatched);
    const unnamed = await startRpcServer(() => ({ jsonrpc: "2.0", result: { ...person, username: false } }));
    expect(await clientOf(unnamed.url).authenticate("luis", "x")).toMatchObject({ value: { userId: 7 } });
  });

  it("an answer about another event than the one sent is rejected [FWD-22]", async () => {
    const event = { eventId: 7, type: "hub_finalize", posReference: "A", createdAt: "", orderJson: "{}" };
    for (const eventId of [7, "7"]) {
      const { url } = await startRpcServer(() => ({ eventId, status: "finalized" }));
      expect(await clientOf(url).finalize("t", event)).toMatchObject({ value: { status: "finalized" }, token: "next" });
    }
    const { url } = await startRpcServer(() => ({ eventId: 6, status: "finalized" }));
    await expect(clientOf(url).finalize("t", event)).rejects.toMatchObject(mismatched);
  });

  it("a batch answer counts only for its own events and only where its results agree [FWD-22, FWD-23]", async () => {
    const results = [
      { eventId: 1, status: "finalized", orderId: 11 },
      { eventId: "2", status: "failed", error: "no" },
      { eventId: 3, status: "finalized", orderId: 13 },
      { eventId: 3, status: "failed" },
      { eventId: 4, status: "finalized", orderId: 14 },
      { eventId: 4, status: "finalized", orderId: 14 },
      { eventId: 9, status: "finalized", orderId: 19 },
    ];
    const { url } = await startRpcServer(() => ({ results }));
    const answer = await clientOf(url).batchSync("t", Buffer.from("{}"), [1, 2, 3, 4, 5]);
    expect([...answer.value.keys()]).toEqual([1, 2, 4]);
    await expect(clientOf(url).batchSync("t", Buffer.from("{}"), [5, 6])).rejects.toMatchObject(mismatched);
  });

  it("an answer about other events closes the connection, and a right one does not [FWD-22]", async () => {
    let eventIds = [1];
    const office = await startRpcServer(() => ({
      results: eventIds.map((eventId) => ({ eventId, status: "finalized" })),
    }));
    const client = clientOf(office.url);
    const call = () => client.batchSync("t", Buffer.from("{}"), [1]);
    await call();
    await call();
    expect(office.connections()).toBe(1);
    eventIds = [1, 2];
    await call();
    await call();
    expect(office.connections()).toBe(2);
    eventIds = [2];
    await expect(call()).rejects.toMatchObject(mismatched);
    await expect(call()).rejects.toMatchObject(mismatched);
    expect(office.connections()).toBe(4);
  });

  it("a lookup answer about an order that was not requested is rejected [FWD-22]", async () => {
    const order = { posReference: "B", status: "paid", orderId: 1, eventId: 1, total: 1, ncf: null, paidAt: null };
    const { url } = await startRpcServer(() => ({ orders: [order] }));
    expect((await clientOf(url).lookup("t", ["A", "B"])).value).toEqual([order]);
    await expect(clientOf(url).lookup("t", ["A"])).rejects.toMatchObject(mismatched);
  });

  it("an unanswered order says nothing about the line unless there was no connection [FWD-29]", async () => {
    const event = { eventId: 7, type: "hub_finalize", posReference: "A", createdAt: "", orderJson: "{}" };
    const page = clientOf(await startServer(reply(502, "text/html", "<html></html>")));
    await expect(page.finalize("t", event)).rejects.toMatchObject({ kind: "unreachable", status: 502 });
    await expect(page.batchSync("t", Buffer.from("{}"), [7])).rejects.toThrow("502");
    expect(page.contacts).toEqual([]);
    await expect(page.bootstrap("t")).rejects.toThrow("502");
    expect(page.contacts).toEqual([false]);
    const large = clientOf(await startServer(reply(413, "text/html", "<html></html>")));
    await expect(large.finalize("t", event)).rejects.toMatchObject({ kind: "refused", status: 413 });
    expect(large.contacts).toEqual([true]);
    const unreachable = clientOf(`http://127.0.0.1:${await freePort()}`);
    await expect(unreachable.finalize("t", event)).rejects.toMatchObject({ reason: "no_connection" });
    expect(unreachable.contacts).toEqual([false]);
  });
});

describe("failed sign-ins", () => {
  const rpcError = (name: string, message: string) =>
    reply(200, "application/json", JSON.stringify({ jsonrpc: "2.0", error: { code: 0, message, data: { name } } }));
  const noUser = JSON.stringify({ jsonrpc: "2.0", result: { uid: null } });

  it.each([
    ["a wrong password", rpcError("odoo.exceptions.AccessDenied", "Access Denied"), "login_refused", undefined],
    ["401, as if a session were dead", reply(401, "application/json", "{}"), "login_refused", undefined],
    ["a second factor", reply(200, "application/json", noUser), "login_refused", "second_factor"],
    ["no such database", rpcError("odoo.exceptions.AccessError", "No."), "refused", "unknown_database"],
    ["none, on an old Odoo", rpcError("psycopg2.OperationalError", "FATAL"), "refused", "unknown_database"],
    ["a failure inside Odoo", rpcError("builtins.KeyError", "database"), "refused", undefined],
    ["a router's page", reply(200, "text/html", "<html></html>"), "unreachable", "not_a_back_office"],
    ["a proxy's page", reply(502, "text/html", "<html></html>"), "unreachable", "not_a_back_office"],
    ["another program's JSON", reply(200, "application/json", "[1]"), "unreachable", "not_a_back_office"],
  ])("a sign-in that fails by %s has a kind and a reason [DESK-26]", async (_, answer, kind, reason) => {
    const client = clientOf(await startServer(answer));
    await expect(client.authenticate("ana", "x")).rejects.toMatchObject({ kind, reason });
  });
});

describe("failed calls and the line", () => {
  const strangers = { caller: { lane: "strangers", peer: "p" } } as const;
  const people = { lane: "signIn", peer: "p" } as const;

  it.each([
    ["a control character in the token", (client: Client) => client.sessionInfo("x\r\ny")],
    ["one in a stranger's token", (client: Client) => client.sessionInfo("x\0y", strangers)],
    ["a letter that no header holds", (client: Client) => client.sessionInfo("ñandú 🍽")],
    ["what cannot be written as JSON", (client: Client) => client.authenticate("ana", 1n as unknown as string)],
  ])("a call that fails by the hub's own fault says nothing about the line: %s [BO-109]", async (_, call) => {
    const { url } = await startRpcServer(() => ({ result: person }));
    const client = clientOf(url);
    const failure: unknown = await call(client).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(BackOfficeError);
    expect(client.contacts).toEqual([]);
  });

  it("a call that the hub itself cuts off says nothing about the line [BO-109]", async () => {
    const client = clientOf(await startServer(() => client.stop()));
    await expect(client.sessionInfo("t")).rejects.toMatchObject({ kind: "unreachable" });
    await expect(client.sessionInfo("t")).rejects.toMatchObject({ kind: "unreachable" });
    expect(client.contacts).toEqual([]);
  });

  it("a failed call of a stranger says nothing about the line unless there was no connection [BO-108]", async () => {
    for (const answer of [
      reply(403, "text/html", "<html>blocked</html>"),
      ((request) => void request.socket.resetAndDestroy()) as RequestListener,
    ]) {
      const client = clientOf(await startServer(answer));
      await expect(client.sessionInfo("<script>", strangers)).rejects.toMatchObject({ kind: "unreachable" });
      await expect(client.authenticate("' or 1=1", "x", people)).rejects.toMatchObject({ kind: "unreachable" });
      expect(client.contacts).toEqual([]);
      await expect(client.sessionInfo("t", { caller: { lane: "known", peer: "p" } })).rejects.toThrow();
      await expect(client.authenticate("hub", "hub")).rejects.toThrow();
      expect(client.contacts).toEqual([false, false]);
    }
    const unreachable = clientOf(`http://127.0.0.1:${await freePort()}`);
    await expect(unreachable.sessionInfo("t", strangers)).rejects.toMatchObject({ reason: "no_connection" });
    expect(unreachable.contacts).toEqual([false]);
  });

  it.each(["a b", "ñ", 'a\tb"', "x".repeat(513)])(
    "a session cookie that cannot be sent back is not accepted: %j [BO-110]",
    async (value) => {
      const url = await startServer((_, response) => {
        const headers = { "content-type": "application/json", "set-cookie": `session_id=${value}; Path=/` };
        response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", result: person }));
      });
      expect(await clientOf(url).sessionInfo("t")).toMatchObject({ token: "t" });
      await expect(clientOf(url).authenticate("ana", "x")).rejects.toMatchObject({ kind: "unreachable" });
    },
  );

  it("stuck calls of strangers delay neither the hub's own calls nor those of known people [BO-103]", async () => {
    const url = await startServer((request, response) => {
      if (request.headers.cookie === "session_id=junk") return;
      const headers = { "content-type": "application/json", "set-cookie": "session_id=next" };
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", result: person }));
    });
    const client = clientOf(url);
    const stuck = Array.from({ length: 700 }, (_, n) =>
      client.sessionInfo("junk", { caller: { lane: "strangers", peer: `p${n % 50}` } }).catch(({ reason }) => reason),
    );
    expect(await client.sessionInfo("known", { caller: { lane: "known", peer: "p" } })).toMatchObject({
      token: "next",
    });
    expect(await client.authenticate("ana", "x", people)).toMatchObject({ token: "next" });
    expect(await client.sessionInfo("own")).toMatchObject({ token: "next" });
    client.stop();
    const reasons = await Promise.all(stuck);
    expect(reasons.filter((reason) => reason === "busy").length).toBeGreaterThanOrEqual(700 - 12 - 512);
    expect(client.contacts).toEqual([true, true, true]);
  });
});

describe("hub/lookup", () => {
  it("hub/lookup returns the orders that the back-office has [FWD-20]", async () => {
    const { backOffice } = await startTestHub({ env: { ERP_USER: "" } });
    const client = clientOf(backOffice.url);
    const { token } = await client.authenticate("hub", "hub");
    const snapshot = { status: "paid", lines: [], totals: { subtotal: 100, tax: 18, total: 118 } };
    const order = { posReference: "LOOKUP-1", snapshot };
    await client.finalize(token, {
      eventId: 7,
      type: "hub_finalize",
      posReference: "LOOKUP-1",
      createdAt: "",
      orderJson: JSON.stringify(order),
    });
    expect((await client.lookup(token, ["LOOKUP-1", "LOOKUP-2"])).value).toEqual([
      {
        posReference: "LOOKUP-1",
        status: "paid",
        orderId: expect.any(Number),
        eventId: 7,
        total: 118,
        ncf: null,
        paidAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it.each([
    ["a JSON 404", reply(404, "application/json", JSON.stringify({ error: "no", errorCode: "NOT_FOUND" }))],
    ["a page for 404", reply(404, "text/html", "<html></html>")],
    ["a page for everything", reply(200, "text/html", "<html></html>")],
    ["a refusal", reply(403, "application/json", JSON.stringify({ error: "no", errorCode: "FORBIDDEN" }))],
    [
      "a refusal in an envelope",
      reply(200, "application/json", JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: 0, message: "no" } })),
    ],
    [
      "Odoo's 404",
      reply(
        200,
        "application/json",
        JSON.stringify({ jsonrpc: "2.0", error: { code: 404, message: "404: Not Found" } }),
      ),
    ],
    ["something else", reply(200, "application/json", JSON.stringify({ hello: "world" }))],
  ])("an answer of %s means that the back-office has no hub/lookup [FWD-20]", async (_, answer) => {
    const client = clientOf(await startServer(answer));
    expect(await client.lookup("t", ["A"])).toEqual({ value: null, token: "t" });
  });

  it.each([
    ["an error", reply(500, "application/json", JSON.stringify({ error: "oops", errorCode: "INTERNAL_ERROR" }))],
    ["a proxy's page", reply(502, "text/html", "<html></html>")],
    ["too many requests", reply(429, "text/plain", "later")],
  ])("an answer of %s leaves open whether the back-office has hub/lookup [FWD-20]", async (_, answer) => {
    const client = clientOf(await startServer(answer));
    await expect(client.lookup("t", ["A"])).rejects.toMatchObject({ kind: "unreachable" });
  });
});

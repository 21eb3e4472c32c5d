import { createServer, type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "@comanda/hub/platform/log.ts";
import { realWorld } from "@comanda/hub/platform/world.ts";
import { startBackOffice } from "../test/start-back-office.ts";
import { testConnection, type TestDeps } from "./test-connection.ts";

const parts = (more: Partial<TestDeps> = {}): TestDeps => ({
  world: realWorld(createLog("silent")),
  ownPort: () => undefined,
  host: () => "0.0.0.0",
  passwordFor: () => null,
  ...more,
});

async function listen(): Promise<number> {
  const server = createServer().listen(0, "0.0.0.0");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it("a port in use is reported with its holder and a free one, and the hub's own port counts as free [DESK-25]", async () => {
  const port = await listen();
  const occupied = await testConnection({ what: "port", port }, parts());
  expect(occupied).toMatchObject({ ok: false, what: "port", reason: "port_taken" });
  expect(!occupied.ok && (occupied.suggestedPort ?? 0) > port).toBe(true);
  expect(await testConnection({ what: "port", port }, parts({ ownPort: () => port }))).toMatchObject({
    ok: true,
    what: "port",
  });
});

it("the port test offers no address where the hub would not listen [OP-180]", async () => {
  const port = await listen();
  const own = { ownPort: () => port };
  expect(await testConnection({ what: "port", port }, parts({ ...own, host: () => "127.0.0.1" }))).toEqual({
    ok: true,
    what: "port",
    addresses: [],
    localOnly: true,
  });
  expect(await testConnection({ what: "port", port }, parts(own))).toMatchObject({ ok: true, localOnly: false });
});

it("the back-office test signs in and counts what it finds [DESK-26]", async () => {
  const url = await startBackOffice();
  const test = { what: "back_office" as const, url: `${url}/`, database: "demo", login: "hub" };
  const found = { ok: true, what: "back_office", tables: 18, floors: 2, products: 40 };
  expect(await testConnection({ ...test, password: "hub" }, parts())).toMatchObject(found);
  expect(await testConnection(test, parts({ passwordFor: () => "hub" }))).toMatchObject(found);
});

it("an address that contains a user and password is not contacted [DESK-170]", async () => {
  const url = (await startBackOffice()).replace("//", "//hub:hub@");
  const test = { what: "back_office" as const, url, database: "demo", login: "hub", password: "hub" };
  expect(await testConnection(test, parts())).toMatchObject({ ok: false, reason: "credentials_in_address" });
});

it("the saved password is not sent to another address, and the test asks for it without connecting [DESK-62]", async () => {
  const { createServer: createHttp } = await import("node:http");
  let connections = 0;
  const thief = createHttp((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
  thief.on("connection", () => (connections += 1));
  await new Promise((resolve) => thief.once("listening", resolve));
  onTestFinished(() => void thief.close());
  const url = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  const test = { what: "back_office" as const, url, database: "demo", login: "hub" };
  const found = await testConnection(test, parts({ passwordFor: (account) => (account.url === url ? null : "hub") }));
  expect(found).toMatchObject({ ok: false, what: "back_office", reason: "password_needed" });
  expect(connections).toBe(0);
});

it("the back-office test tells a refused user, a silent address and another server apart [DESK-26]", async () => {
  const url = await startBackOffice();
  const test = { what: "back_office" as const, url, database: "demo", login: "hub", password: "wrong" };
  expect(await testConnection(test, parts())).toMatchObject({ ok: false, reason: "refused" });

  const closed = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => closed.once("listening", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const unanswered = await testConnection({ ...test, url: `http://127.0.0.1:${port}` }, parts());
  expect(unanswered).toMatchObject({ ok: false, reason: "unreachable" });

  const { createServer: createHttp } = await import("node:http");
  const other = createHttp((_request, response) => response.end("<html>a router</html>")).listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  onTestFinished(() => void other.close());
  const router = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  expect(await testConnection({ ...test, url: router }, parts())).toMatchObject({
    ok: false,
    reason: "not_a_back_office",
  });

  const hub = createHttp((_request, response) => {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "there is nothing at this address", errorCode: "NOT_FOUND" }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => hub.once("listening", resolve));
  onTestFinished(() => void hub.close());
  const ownAddress = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  expect(await testConnection({ ...test, url: ownAddress }, parts())).toMatchObject({ reason: "not_a_back_office" });
});

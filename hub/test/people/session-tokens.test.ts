import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { startFaultyLine } from "../support/faulty-line.ts";
import { openSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const sessionInfo = "/web/session/get_session_info";

/** Starts a hub that has reached its back-office, and counts the session checks since. */
async function startHub() {
  const line = await startFaultyLine();
  const hub = await startTestHub({ line });
  await until("the back-office to be reached", async () => (await hub.send("GET", "/health")).body.lastErpSync);
  return { hub, sessionChecks: () => line.requests.filter(({ path }) => path === sessionInfo).length };
}

/** Sends an `Authorization` header byte for byte and returns the HTTP status. */
async function statusOf(hub: TestHub, path: string, authorization: string): Promise<string> {
  const socket = connect(hub.port, "127.0.0.1");
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`;
  socket.end(Buffer.from(head, "latin1"));
  return (await text(socket)).split(" ")[1] ?? "";
}

describe("invalid session ids", () => {
  it.each([
    ["a line break", "x\r\ny"],
    ["a further cookie", "token; x=1"],
    ["a semicolon", "token;x=1"],
    ["a NUL", "x\0y"],
    ["a letter beyond ASCII", "señal"],
    ["half a character", "x\ud800"],
    ["513 characters", "x".repeat(513)],
    ["a number", 7],
    ["nothing", undefined],
  ])("AUTH with an invalid token is refused without calling the back-office: %s [TERM-68]", async (_, token) => {
    const { hub, sessionChecks } = await startHub();
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token, deviceId: "till-1" });
    expect(await terminal.first("AUTH_FAILED")).toMatchObject({ errorCode: "UNAUTHENTICATED" });
    expect(await terminal.closed).toBe(4401);
    expect(sessionChecks()).toBe(0);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "ok" });
  });

  it("a valid token is checked with the back-office [TERM-68]", async () => {
    const { hub, sessionChecks } = await startHub();
    const letters = String.fromCharCode(...Array.from({ length: 94 }, (_, n) => 0x21 + n)).replace(";", "");
    for (const token of [letters, "x".repeat(512), "!"]) {
      const terminal = await openSocket(hub.url);
      terminal.send({ type: "AUTH", token, deviceId: "till-1" });
      expect(await terminal.closed).toBe(4401);
    }
    expect(sessionChecks()).toBe(3);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "ok" });
  });

  it("an invalid bearer token is refused with 401 without calling the back-office [OP-68]", async () => {
    const { hub, sessionChecks } = await startHub();
    for (const token of ["a;x=1", "se\xf1al", "x".repeat(513), "a\tb", "a b", ""]) {
      for (const path of ["/operator/v1/orders", "/operator/v1/overview", "/operator/v1/stream", "/external-keys"]) {
        expect(await statusOf(hub, path, `Bearer ${token}`)).toBe("401");
      }
    }
    expect(sessionChecks()).toBe(0);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "ok" });
  });

  it("unusual logins and passwords reach the back-office and leave the hub's state ok [BO-109]", async () => {
    const { hub } = await startHub();
    const call = operatorOf(hub);
    for (const login of ["señal 🍽", "' or 1=1 --", "a;b=c"]) {
      const answer = await call("signIn", { body: { login, password: login }, token: null });
      expect(answer).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
    }
    const password = "x\r\ny\0\ud800";
    expect((await call("signIn", { body: { login: "waiter", password }, token: null })).status).not.toBe(503);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "ok" });
  });
});

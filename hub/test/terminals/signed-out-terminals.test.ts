import { type PracticeEntry, terminalApi } from "@comanda/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectTerminal, type TestTerminal } from "../support/connect-terminal.ts";
import { startFaultyLine } from "../support/faulty-line.ts";
import { openSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

async function connect(hub: TestHub, token: string, deviceId: string, path = ""): Promise<TestTerminal> {
  const terminal = await connectTerminal(`ws://127.0.0.1:${hub.port}/${path}`, { type: "AUTH", token, deviceId });
  onTestFinished(terminal.close);
  return terminal;
}

async function signIn(hub: TestHub, login: string): Promise<string> {
  const body = { login, password: login };
  return (await terminalApiOf(hub)("signIn", { body, token: null })).body.token as string;
}

const line = { id: "1", productId: 101, name: "Mofongo", quantity: 1, unitPrice: 100, total: 100 };
const order = { posReference: "A/1", snapshot: { orderType: "takeout", lines: [line] } };

describe("signing out", () => {
  it("signing out closes every connection of the session at once, and payments on them are ignored [TERM-120]", async () => {
    const hub = await startTestHub();
    const token = await signIn(hub, "cashier");
    const [one, other, another] = await Promise.all([
      connect(hub, token, "till-1"),
      connect(hub, token, "till-2"),
      connect(hub, await signIn(hub, "cashier"), "till-3"),
    ]);
    await one.change({ type: "ORDER_UPSERT", baseVersion: 0, ...order });
    const answer = terminalApiOf(hub)("signOut", { token });
    expect(await one.next("AUTH_FAILED")).toMatchObject({
      errorCode: "UNAUTHENTICATED",
      error: expect.stringContaining("signed out"),
    });
    const payments = [{ methodId: 1, amount: 100 }];
    one.send({ type: "ORDER_PAY", mutationId: "pay-1", posReference: "A/1", baseVersion: 1, payments });
    expect(await Promise.all([one.closed, other.closed])).toEqual([4401, 4401]);
    expect((await answer).body).toEqual({ signedOut: true });
    const [stored] = (
      await another
        .change({ type: "ORDER_SEND", posReference: "A/1", baseVersion: 1 })
        .then(() => operatorOf(hub)("orders"))
    ).body.orders;
    expect(stored).toMatchObject({ posReference: "A/1", status: "sent" });
    expect((await operatorOf(hub)("payments")).body.payments).toEqual([]);
  });

  it("signing out at the screens, or with an older token, closes the session's terminals [TERM-120]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const atScreens = (
      await operatorOf(hub)("signIn", { body: { login: "manager", password: "manager" }, token: null })
    ).body.token as string;
    const till = await connect(hub, atScreens, "till-1");
    await operatorOf(hub)("signOut", { token: atScreens });
    expect(await till.closed).toBe(4401);

    await hub.backOffice.control("POST", "/quirks", { rotateSession: "soft" });
    const first = await hub.signIn("waiter");
    const rotated = await connect(hub, first, "tablet-1");
    expect(rotated.hello.token).not.toBe(first);
    await terminalApiOf(hub)("signOut", { token: first });
    expect(await rotated.closed).toBe(4401);
  });

  it("signing out refuses a terminal that is just signing in with the session [TERM-120]", async () => {
    const faulty = await startFaultyLine();
    const hub = await startTestHub({ line: faulty });
    const token = await hub.signIn("waiter");
    // The session is now cached for a few seconds, so signing out does not query the back-office.
    await terminalApiOf(hub)("menu", { token });
    const requested = Promise.withResolvers<void>();
    faulty.faults(({ path }) => {
      if (path !== "/web/session/get_session_info") return null;
      requested.resolve();
      return { kind: "hang" };
    });
    const socket = await openSocket(hub.url);
    socket.send({ type: "AUTH", token, deviceId: "tablet-1" });
    await requested.promise;
    await terminalApiOf(hub)("signOut", { token });
    expect(await until("a refusal", () => socket.received[0])).toMatchObject({ type: "AUTH_FAILED" });
    expect(await socket.closed).toBe(4401);
  });

  it("signing out ends the session's practice, over a reset too [TERM-120]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    const enter = async (token: string) => ((await call("enterPractice", { token })).body as PracticeEntry).token;
    const [token, other] = [await signIn(hub, "waiter"), await signIn(hub, "waiter")];
    const [session, otherSession] = [await enter(token), await enter(other)];
    const trainee = await connect(hub, session, "practice-1", "practice/");
    const colleague = await connect(hub, otherSession, "practice-2", "practice/");
    await call("signOut", { token });
    expect(await trainee.closed).toBe(4401);
    await colleague.change({ type: "ORDER_UPSERT", baseVersion: 0, ...order });
    await call("resetPractice", { token: other });
    const menu = (of: string) =>
      hub.send("GET", `/practice${terminalApi.routes.menu.path}`, { headers: { Authorization: `Bearer ${of}` } });
    expect((await menu(session)).status).toBe(401);
    expect((await menu(otherSession)).status).toBe(200);
  });
});

import { operatorRoutes, type HttpRoute, type OperatorRouteName } from "@comanda/protocol";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_PER_PERSON } from "../../back-office/terminal-sessions.ts";
import { connectTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

const forTerminals = { status: 403, body: { errorCode: "FORBIDDEN", error: expect.stringContaining("at a terminal") } };

async function signIn(hub: TestHub, login = "manager"): Promise<string> {
  const body = { login, password: login };
  return (await terminalApiOf(hub)("signIn", { body, token: null })).body.token as string;
}

async function connect(hub: TestHub, token: string) {
  const terminal = await connectTerminal(`ws://127.0.0.1:${hub.port}/`, { type: "AUTH", token, deviceId: "tablet-1" });
  onTestFinished(terminal.close);
  return terminal;
}

function inFile(hub: TestHub, sql: string): number {
  const db = new Database(hub.dbPath);
  try {
    return db.prepare<[], number>(sql).pluck().get() ?? 0;
  } finally {
    db.close();
  }
}

describe("sessions of terminals", () => {
  it("a terminal's session opens every route for terminals and none for managers, over a restart [TAPI-100, OP-230]", async () => {
    const hub = await startTestHub();
    const token = await signIn(hub);
    const { hello } = await connect(hub, token);
    expect(hello.user.role).toBe("manager");
    for (let i = 0; i < 2; i += 1) {
      expect((await terminalApiOf(hub)("menu", { token })).status).toBe(200);
      for (const [name, route] of Object.entries<HttpRoute>(operatorRoutes)) {
        if (route.access !== "manager") continue;
        const answer = await operatorOf(hub)(name as OperatorRouteName, { token, params: anything });
        expect({ name, ...answer }).toMatchObject({ name, ...forTerminals });
      }
      // Refused like a waiter's token, although the public part is readable without a token.
      expect(await operatorOf(hub)("overview", { token })).toMatchObject(forTerminals);
      await hub.restart();
    }
    expect((await hub.admin(await hub.signIn("manager")).get("")).status).toBe(200);
    const body = { login: "manager", password: "manager" };
    const atScreens = (await operatorOf(hub)("signIn", { body, token: null })).body.token as string;
    expect((await hub.admin(atScreens).get("")).status).toBe(200);
    expect(await operatorOf(hub)("me", { token })).toMatchObject(forTerminals);
  });

  it("a terminal's session stays one when the back-office changes its token, over a restart [OP-230]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "soft", date: "none" });
    const first = await signIn(hub);
    const second = (await connect(hub, first)).hello.token as string;
    await hub.restart();
    clock.advance(11_000);
    const third = (await connect(hub, second)).hello.token as string;
    expect(new Set([first, second, third]).size).toBe(3);
    await hub.restart();
    for (const token of [second, third]) {
      expect((await operatorOf(hub)("people", { token })).status).not.toBe(200);
      expect((await hub.admin(token).get("")).status).not.toBe(200);
    }
    expect(await operatorOf(hub)("people", { token: third })).toMatchObject(forTerminals);
  });

  it("a terminal's session stays one after an older backup was restored [OP-230]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const { name } = (await call("makeBackup")).body.backup;
    const token = await signIn(hub);
    const restored = await call("restoreBackup", { params: { name }, body: { confirm: name } });
    expect(restored.status).toBeLessThan(300);
    await hub.restart();
    expect(await call("people", { token })).toMatchObject(forTerminals);
  });

  it("a terminal's session is forgotten when it is signed out, and after 90 days without use [OP-231]", async () => {
    const hub = await startTestHub();
    const tokens = [await signIn(hub), await signIn(hub), await signIn(hub)];
    await terminalApiOf(hub)("signOut", { token: tokens[0] ?? "" });
    const countSessions = "SELECT count(*) FROM terminal_sessions";
    await hub.restart(() => {
      expect(inFile(hub, countSessions)).toBe(2);
      for (const [which, days] of [
        ["min", 89],
        ["max", 91],
      ]) {
        const one = `digest = (SELECT ${which}(digest) FROM terminal_sessions)`;
        inFile(hub, `UPDATE terminal_sessions SET used_at = used_at - ${days} * 86400000 WHERE ${one} RETURNING 1`);
      }
    });
    await until("one to be forgotten", async () => {
      let remaining = 0;
      await hub.restart(() => {
        remaining = inFile(hub, countSessions);
      });
      return remaining === 1;
    });
  });

  it("a person has at most 1,000 terminal sessions: the one unused for longest is signed out [OP-231]", async () => {
    const hub = await startTestHub();
    const first = await signIn(hub);
    const userId = (await connect(hub, first)).hello.user.id;
    await hub.restart(() => {
      const db = new Database(hub.dbPath);
      const insert = db.prepare("INSERT INTO terminal_sessions (digest, user_id, used_at) VALUES (?, ?, ?)");
      for (let i = 1; i < MAX_PER_PERSON; i += 1) insert.run(`digest ${i}`, userId, Date.now() + 3_600_000);
      db.close();
    });
    const next = await signIn(hub);
    const socket = await openSocket(hub.url);
    socket.send({ type: "AUTH", token: first, deviceId: "tablet-2" });
    expect(await socket.first("AUTH_FAILED")).toMatchObject({ errorCode: "UNAUTHENTICATED" });
    expect(await operatorOf(hub)("people", { token: first })).toMatchObject({ status: 401 });
    expect(await operatorOf(hub)("people", { token: next })).toMatchObject(forTerminals);
  });
});

/** Provides every path parameter. */
const anything = new Proxy<Record<string, string>>({}, { get: () => "1" });

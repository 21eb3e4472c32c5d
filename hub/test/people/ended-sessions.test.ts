import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { startFaultyLine } from "../support/faulty-line.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { send } from "../support/send.ts";
import { startTestHub, type TestHub, type TestHubOptions } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const destroy = "/web/session/destroy";
const sessionInfo = "/web/session/get_session_info";
const signedOut = { status: 401, body: { errorCode: "UNAUTHENTICATED", error: expect.stringContaining("signed out") } };

async function signIn(hub: TestHub): Promise<string> {
  const body = { login: "manager", password: "manager" };
  return (await operatorOf(hub)("signIn", { body, token: null })).body.token;
}

async function authenticate(hub: TestHub, token: string) {
  const terminal = await openSocket(hub.url);
  terminal.send({ type: "AUTH", token, deviceId: "till-1" });
  const answer = await until("an answer", () => terminal.received[0]);
  if (answer.type === "AUTH_OK") terminal.socket.close();
  return { answer, code: await terminal.closed };
}

/** Returns whether a token is a live session in the back-office. */
async function isAlive(hub: TestHub, token: string): Promise<boolean> {
  const answer = await send(hub.backOffice.url, "POST", sessionInfo, {
    headers: { Cookie: `session_id=${token}` },
    body: { jsonrpc: "2.0", method: "call", params: {} },
  });
  return answer.body.result !== undefined;
}

function inFile<T>(hub: TestHub, work: (db: Database.Database) => T): T {
  const db = new Database(hub.dbPath);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const countEnded = (hub: TestHub): number =>
  inFile(hub, (db) => db.prepare("SELECT count(*) FROM ended_sessions").pluck().get() as number);

/** Starts a hub whose requests to end a session fail. */
async function startHub(options: TestHubOptions = {}) {
  const line = await startFaultyLine();
  const hub = await startTestHub({ ...options, line });
  const cannotEnd = (): void => line.faults(({ path }) => (path === destroy ? { kind: "reset" } : null));
  return { hub, line, call: operatorOf(hub), cannotEnd };
}

describe("signing out during an outage", () => {
  it("a session signed out during an outage is refused from then on, also after a restart [OP-69, TERM-70]", async () => {
    const { hub, call, cannotEnd } = await startHub();
    const token = await signIn(hub);
    const stream = await openStream(hub, { token });
    await stream.next("hello");
    cannotEnd();
    expect((await call("signOut", { token })).body).toEqual({ signedOut: true, backOffice: "pending" });
    await stream.next("signed_out");
    for (let i = 0; i < 2; i += 1) {
      expect(await isAlive(hub, token)).toBe(true);
      expect(await call("orders", { token })).toMatchObject(signedOut);
      expect(await call("overview", { token })).toMatchObject(signedOut);
      expect((await hub.admin(token).get("")).status).toBe(401);
      expect(await authenticate(hub, token)).toMatchObject({
        answer: { type: "AUTH_FAILED", errorCode: "UNAUTHENTICATED", error: expect.stringContaining("signed out") },
        code: 4401,
      });
      await hub.restart();
    }
  });

  it("a session signed out while the line is down is refused [OP-69, TERM-70]", async () => {
    const { hub, line, call } = await startHub();
    const token = await signIn(hub);
    await line.down();
    expect((await call("signOut", { token })).body).toEqual({ signedOut: true, backOffice: "pending" });
    expect((await authenticate(hub, token)).code).toBe(4401);
    expect(await call("orders", { token })).toMatchObject(signedOut);
  });

  it("a session signed out during an outage is ended in the back-office once it answers, then forgotten [OP-69]", async () => {
    const { hub, line, call } = await startHub();
    const token = await signIn(hub);
    await line.down();
    await call("signOut", { token });
    await line.up();
    await until("the hub to notice", async () => {
      await call("tryBackOffice");
      return !(await isAlive(hub, token));
    });
    expect((await call("orders", { token })).status).toBe(401);
    let stored = -1;
    await hub.restart(() => {
      stored = countEnded(hub);
    });
    expect(stored).toBe(0);
    expect((await call("orders", { token })).status).toBe(401);
  });

  it("a session signed out during an outage is ended when its token is used after a restart [OP-69]", async () => {
    const { hub, line, call, cannotEnd } = await startHub();
    const token = await signIn(hub);
    cannotEnd();
    await call("signOut", { token });
    await hub.restart();
    line.heal();
    expect(await isAlive(hub, token)).toBe(true);
    expect(await call("orders", { token })).toMatchObject(signedOut);
    await until("the session to end", async () => !(await isAlive(hub, token)));
  });

  it("signing out during an outage ends every token of the session, also from before a restart [OP-69]", async () => {
    const clock = manualClock();
    const { hub, call, cannotEnd } = await startHub({ ownBackOffice: true, world: clock.world });
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "soft", date: "none" });
    const first = await hub.signIn("manager");
    const second = (await call("me", { token: first })).body.token;
    await hub.restart();
    clock.advance(11_000);
    const third = (await call("me", { token: second })).body.token;
    expect(new Set([first, second, third]).size).toBe(3);
    cannotEnd();
    await call("signOut", { token: second });
    await hub.restart();
    for (const token of [first, second, third]) {
      expect(await isAlive(hub, token)).toBe(true);
      expect(await call("orders", { token })).toMatchObject(signedOut);
    }
  });

  it("signing out also ends the token that replaces the session's during the call [OP-69]", async () => {
    const { hub, line, call } = await startHub();
    let isRequested = false;
    const toEnd = new Set<string | undefined>();
    const token = await signIn(hub);
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "soft" });
    line.faults(({ path, headers }) => {
      if (path === destroy) toEnd.add(headers["cookie"]);
      if (path === destroy) return { kind: "reset" };
      if (path !== sessionInfo) return null;
      isRequested = true;
      return { kind: "late", ms: 300 };
    });
    const terminal = await openSocket(hub.url);
    terminal.send({ type: "AUTH", token, deviceId: "till-1" });
    await until("the back-office to be asked", () => isRequested);
    await call("signOut", { token });
    expect(await terminal.first("AUTH_FAILED")).toMatchObject({ errorCode: "UNAUTHENTICATED" });
    await until("both tokens to be ended", () => toEnd.size === 2);
    let stored = -1;
    await hub.restart(() => {
      stored = countEnded(hub);
    });
    expect(stored).toBe(2);
  });

  it("a signed-out session is refused while the hub runs, even if that cannot be stored [OP-69]", async () => {
    const { hub, line, call } = await startHub();
    const token = await signIn(hub);
    await hub.restart(() => {
      inFile(hub, (db) =>
        db.exec("CREATE TRIGGER full BEFORE INSERT ON ended_sessions BEGIN SELECT RAISE(ABORT, 'full'); END"),
      );
    });
    await line.down();
    expect((await call("signOut", { token })).status).toBe(500);
    expect((await authenticate(hub, token)).code).toBe(4401);
    await line.up();
    line.faults(({ path }) => (path === destroy ? { kind: "reset" } : null));
    expect(await call("orders", { token })).toMatchObject(signedOut);
    line.heal();
    // The hub retries until the back-office has ended the session.
    await until("the session to end", async () => {
      await call("tryBackOffice");
      return !(await isAlive(hub, token));
    });
  });

  it("signing out is answered without a pending note when the back-office ended the session [OP-34]", async () => {
    const { hub, call } = await startHub();
    const token = await signIn(hub);
    expect((await call("signOut", { token })).body).toEqual({ signedOut: true });
    expect(await isAlive(hub, token)).toBe(false);
  });

  it("a signed-out session is forgotten after 90 days [OP-69]", async () => {
    const { hub, line, call } = await startHub();
    const tokens = [await signIn(hub), await signIn(hub)];
    await line.down();
    for (const token of tokens) await call("signOut", { token });
    const age = (db: Database.Database, which: "min" | "max", days: number) =>
      db
        .prepare(
          `UPDATE ended_sessions SET ended_at = ended_at - ? WHERE digest = (SELECT ${which}(digest) FROM ended_sessions)`,
        )
        .run(days * 86_400_000);
    await hub.restart(() =>
      inFile(hub, (db) => {
        age(db, "min", 89);
        age(db, "max", 91);
      }),
    );
    await until("one to be forgotten", async () => {
      let stored = 0;
      await hub.restart(() => {
        stored = countEnded(hub);
      });
      return stored === 1;
    });
  });
});

describe("restores", () => {
  it("restoring an older backup revives no session that was signed out since [OP-70]", async () => {
    const { hub, line, call, cannotEnd } = await startHub();
    const ended = await signIn(hub);
    const pending = await signIn(hub);
    const staying = await signIn(hub);
    const { name } = (await call("makeBackup")).body.backup;
    const later = await signIn(hub);
    await call("signOut", { token: ended });
    cannotEnd();
    await call("signOut", { token: pending });
    const restored = await call("restoreBackup", { params: { name }, body: { confirm: name }, token: staying });
    expect(restored.status).toBeLessThan(300);
    await hub.restart();
    expect(await isAlive(hub, pending)).toBe(true);
    expect((await authenticate(hub, pending)).code).toBe(4401);
    await line.down();
    expect((await authenticate(hub, ended)).code).toBe(4503);
    expect((await authenticate(hub, staying)).answer).toMatchObject({ type: "AUTH_OK", offline: true });
    expect((await authenticate(hub, later)).answer).toMatchObject({ type: "AUTH_OK", offline: true });
  });

  it("restoring an older backup restores no role that was revoked since [OP-70]", async () => {
    const { hub, line, call } = await startHub();
    const body = { login: "manager", password: "manager" };
    const { token, user } = (await call("signIn", { body, token: null })).body;
    const clerk = await hub.signIn("clerk");
    const { name } = (await call("makeBackup", { token: clerk })).body.backup;
    const result = { uid: user.id, name: user.name, username: "manager", pos: { role: "waiter", permissions: [] } };
    const fault = { path: sessionInfo, times: 1, action: "status", status: 200, body: { jsonrpc: "2.0", result } };
    await hub.backOffice.control("POST", "/faults", { faults: [fault] });
    expect((await authenticate(hub, token)).answer).toMatchObject({ type: "AUTH_OK", user: { role: "waiter" } });
    const restored = await call("restoreBackup", { params: { name }, body: { confirm: name }, token: clerk });
    expect(restored.status).toBeLessThan(300);
    await line.down();
    await hub.restart();
    expect((await authenticate(hub, token)).answer).toMatchObject({
      type: "AUTH_OK",
      offline: true,
      user: { role: "waiter" },
    });
  });
});

import { describe, expect, it } from "vitest";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";

describe("sign-in", () => {
  it("signing in returns a token to a manager, and the user it belongs to [OP-1, OP-141]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const signedIn = await call("signIn", { body: { login: "manager", password: "manager" }, token: null });
    expect(signedIn).toMatchObject({ status: 200, body: { user: { role: "manager" } } });
    const { token, user } = signedIn.body;
    expect((await call("me", { token })).body).toEqual({ user });
    expect(user.permissions).toEqual(["refund"]);
  });

  it("signing in is refused for an account that is not a manager's and for a wrong password [OP-2]", async () => {
    const call = operatorOf(await startTestHub());
    expect(await call("signIn", { body: { login: "waiter", password: "waiter" }, token: null })).toMatchObject({
      status: 403,
      body: { errorCode: "FORBIDDEN" },
    });
    expect(await call("signIn", { body: { login: "manager", password: "wrong" }, token: null })).toMatchObject({
      status: 401,
      body: { errorCode: "UNAUTHENTICATED" },
    });
  });

  it("signing in returns 503 while the back-office is unreachable [OP-3]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = operatorOf(hub);
    await hub.backOffice.kill();
    expect(await call("signIn", { body: { login: "manager", password: "manager" }, token: null })).toMatchObject({
      status: 503,
      body: { errorCode: "UPSTREAM_UNAVAILABLE" },
    });
  });

  it("manager routes return 401 without a valid token and 403 to other roles [OP-4]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const waiter = await hub.signIn("waiter");
    for (const name of ["orders", "terminals", "closing", "settings", "logs", "webhooks", "audit"] as const) {
      expect(await call(name, { token: null })).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
      expect(await call(name, { token: "dead" })).toMatchObject({ status: 401 });
      expect(await call(name, { token: waiter })).toMatchObject({ status: 403, body: { errorCode: "FORBIDDEN" } });
    }
  });

  it("a token is accepted for 10 s before the hub checks it with the back-office again [OP-5]", async () => {
    const { manualClock } = await import("../support/manual-clock.ts");
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const call = operatorOf(hub);
    const { token } = (await call("signIn", { body: { login: "manager", password: "manager" }, token: null })).body;
    await hub.backOffice.control("DELETE", "/user-sessions");
    clock.advance(9_000);
    expect((await call("terminals", { token })).status).toBe(200);
    clock.advance(2_000);
    expect(await call("terminals", { token })).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
  });

  it("an API key is not accepted as a manager's token [OP-6]", async () => {
    const hub = await startTestHub();
    const { token } = await hub.createKey();
    expect((await operatorOf(hub)("orders", { token })).status).toBe(401);
    const cookie = { headers: { Cookie: `session_id=${await hub.signIn("manager")}` } };
    expect((await hub.send("GET", "/operator/v1/orders", cookie)).status).toBe(401);
  });

  it("public routes return 401 to a dead token [OP-8]", async () => {
    const call = operatorOf(await startTestHub());
    expect((await call("overview", { token: "dead" })).status).toBe(401);
  });

  it("an unconfirmed token gets only public data while the back-office is unreachable [OP-32]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = operatorOf(hub);
    const unconfirmed = { token: "never-seen-by-this-hub" };
    await hub.backOffice.kill();
    const overview = await call("overview", unconfirmed);
    expect(overview.status).toBe(200);
    expect(overview.body).not.toHaveProperty("detail");
    expect(await call("orders", unconfirmed)).toMatchObject({ status: 503 });
  });

  it("an address that failed to sign in ten times within a minute is refused, and no other [OP-33]", async () => {
    const call = operatorOf(await startTestHub());
    const wrong = { body: { login: "manager", password: "wrong" }, token: null };
    const answers = await Promise.all(Array.from({ length: 12 }, () => call("signIn", wrong)));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(10).fill(401),
      429,
      429,
    ]);
    const right = { body: { login: "manager", password: "manager" }, token: null };
    expect((await call("signIn", right)).status).toBe(429);
    expect((await call("signIn", { ...right, localAddress: "127.0.0.2" })).status).toBe(200);
  });

  it("signing out ends a manager's session [OP-34]", async () => {
    const call = operatorOf(await startTestHub());
    const { token } = (await call("signIn", { body: { login: "manager", password: "manager" }, token: null })).body;
    expect((await call("signOut", { token })).body).toEqual({ signedOut: true });
    expect((await call("me", { token })).status).toBe(401);
  });

  it("a rotated token stays valid and is answered with the current one [OP-62]", async () => {
    const { manualClock } = await import("../support/manual-clock.ts");
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const call = operatorOf(hub);
    const { token } = (await call("signIn", { body: { login: "manager", password: "manager" }, token: null })).body;
    await hub.backOffice.control("POST", "/quirks", { rotateSession: "hard" });
    clock.advance(11_000);
    const rotated = (await call("me", { token })).body;
    expect(rotated.token).not.toBe(token);
    clock.advance(11_000);
    expect((await call("terminals", { token })).status).toBe(200);
    const newest = (await call("me", { token })).body.token;
    expect((await call("me", { token: newest })).body).not.toHaveProperty("token");
  });

  it("unknown paths and methods of the operator API return 404 in the common form [OP-9]", async () => {
    const hub = await startTestHub();
    for (const [method, path] of [
      ["GET", "/operator/v1"],
      ["GET", "/operator/v1/nothing"],
      ["DELETE", "/operator/v1/orders"],
      ["GET", "/operator/v1/orders/%zz"],
    ] as const) {
      expect(await hub.send(method, path)).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    }
  });

  it("a request that breaks its schema is refused with the name of the field [OP-10]", async () => {
    const call = operatorOf(await startTestHub());
    const bad = [
      await call("signIn", { body: { login: "manager" }, token: null }),
      await call("signIn", { body: { login: "manager", password: "x", more: 1 }, token: null }),
      await call("orders", { query: { limit: 5000 } }),
      await call("orders", { query: { stauts: "paid" } }),
      await call("orders", { query: { cursor: "x" } }),
    ];
    const mentions = ["password", "more", "limit", "stauts", "cursor"];
    for (const [index, answer] of bad.entries()) {
      expect(answer).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
      expect(answer.body.error).toContain(mentions[index]);
    }
  });
});

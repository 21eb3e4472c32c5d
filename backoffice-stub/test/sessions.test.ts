import { SessionInfo } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { rpc, startTestBackOffice } from "./start-test-back-office.ts";

const authenticate = "/web/session/authenticate";
const sessionInfo = "/web/session/get_session_info";
const hasGroup = "/web/dataset/call_kw/res.users/has_group";

function cookie(sessionId: string): Record<string, string> {
  return { cookie: `session_id=${sessionId}` };
}

describe("signing in", () => {
  it("signing in sets a session cookie and returns the user, for any database name [BO-1]", async () => {
    const office = await startTestBackOffice();
    const answer = await office.call(
      "POST",
      authenticate,
      rpc({ db: "any", login: "manager", password: "manager" }, 7),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ jsonrpc: "2.0", id: 7 });
    expect(SessionInfo.parse(answer.body.result)).toMatchObject({
      username: "manager",
      pos: { role: "manager", permissions: ["refund"] },
    });
    expect(answer.setCookie).toMatch(/^session_id=[\w-]{84}; Max-Age=604800; HttpOnly; Path=\//);
  });

  it("a wrong password and an unknown user are refused alike, with HTTP 200 and AccessDenied [BO-2]", async () => {
    const office = await startTestBackOffice();
    for (const login of ["manager", "nobody"]) {
      const answer = await office.call("POST", authenticate, rpc({ db: "demo", login, password: "wrong" }));
      expect(answer).toMatchObject({ status: 200, setCookie: null });
      expect(answer.body.error).toMatchObject({ code: 0, data: { name: "odoo.exceptions.AccessDenied" } });
      expect(answer.body).not.toHaveProperty("result");
    }
  });

  it("the version and databases are readable before a sign-in, as odoorpc requests them [BO-160]", async () => {
    const office = await startTestBackOffice();
    const version = await office.call("POST", "/web/webclient/version_info", rpc({}));
    expect(version.body.result).toMatchObject({ server_version: "17.0", server_serie: "17.0", protocol_version: 1 });
    const ask = (service: string, method: string) =>
      office.call("POST", "/jsonrpc", rpc({ service, method, args: [] }));
    expect((await ask("db", "list")).body.result).toEqual(["demo"]);
    expect((await ask("common", "version")).body.result).toMatchObject({
      server_version_info: [17, 0, 0, "final", 0, ""],
    });
    const other = await ask("object", "execute_kw");
    expect(other.body).not.toHaveProperty("result");
    expect(other.body.error).toMatchObject({ data: { message: "object.execute_kw is not answered here" } });
  });

  it("a request that is no JSON-RPC gets 400 in plain text [BO-3]", async () => {
    const office = await startTestBackOffice();
    expect(await office.call("POST", authenticate, "{oops")).toMatchObject({ status: 400, body: "Invalid JSON data" });
    expect(await office.call("POST", authenticate, rpc([1]))).toMatchObject({
      status: 400,
      body: "Invalid JSON-RPC data",
    });
  });

  it("calls without parameters need no envelope [BO-3]", async () => {
    const office = await startTestBackOffice();
    const headers = cookie(await office.sessionIdOf("waiter"));
    for (const body of [undefined, {}, { jsonrpc: "2.0", method: "call", id: 7 }]) {
      expect((await office.call("POST", sessionInfo, body, headers)).body.result).toMatchObject({ username: "waiter" });
      expect((await office.call("POST", sessionInfo, body)).body.error).toMatchObject({ code: 100 });
    }
  });

  it("the five users have their roles and permissions [BO-9]", async () => {
    const office = await startTestBackOffice();
    const known: Record<string, unknown> = {};
    for (const login of ["waiter", "cashier", "manager", "clerk", "hub"]) {
      const answer = await office.call("POST", sessionInfo, rpc({}), cookie(await office.sessionIdOf(login)));
      known[login] = answer.body.result.pos;
    }
    expect(known).toEqual({
      waiter: { role: "waiter", permissions: [] },
      cashier: { role: "cashier", permissions: [] },
      manager: { role: "manager", permissions: ["refund"] },
      clerk: { role: "manager", permissions: [] },
      hub: { role: "manager", permissions: [] },
    });
  });
});

describe("sessions", () => {
  it("get_session_info returns a live session, and error 100 for a dead one [BO-4]", async () => {
    const office = await startTestBackOffice();
    const id = await office.sessionIdOf("waiter");
    expect((await office.call("POST", sessionInfo, rpc({}), cookie(id))).body.result).toMatchObject({
      username: "waiter",
      db: "demo",
    });
    for (const headers of [cookie("dead"), {}]) {
      const answer = await office.call("POST", sessionInfo, rpc({}), headers);
      expect(answer.status).toBe(200);
      expect(answer.body.error).toMatchObject({ code: 100, data: { name: "odoo.http.SessionExpiredException" } });
    }
  });

  it("a session is checked without a result, and ended by destroy [BO-5]", async () => {
    const office = await startTestBackOffice();
    const headers = cookie(await office.sessionIdOf("waiter"));
    expect((await office.call("POST", "/web/session/check", rpc({}), headers)).body).toEqual({ jsonrpc: "2.0", id: 1 });
    expect((await office.call("POST", "/web/session/destroy", rpc({}), headers)).body).toEqual({
      jsonrpc: "2.0",
      id: 1,
    });
    expect((await office.call("POST", "/web/session/check", rpc({}), headers)).body.error.code).toBe(100);
  });

  it("has_group is answered in the forms of Odoo 17 and 18 [BO-6]", async () => {
    const office = await startTestBackOffice();
    const answers: Record<string, unknown> = {};
    for (const login of ["manager", "clerk", "waiter"]) {
      const headers = cookie(await office.sessionIdOf(login));
      const { uid } = (await office.call("POST", sessionInfo, rpc({}), headers)).body.result;
      const ask = async (args: unknown): Promise<unknown> =>
        (
          await office.call(
            "POST",
            hasGroup,
            rpc({ model: "res.users", method: "has_group", args, kwargs: {} }),
            headers,
          )
        ).body.result;
      answers[login] = [
        await ask(["point_of_sale.group_pos_manager"]),
        await ask([[uid], "point_of_sale.group_pos_manager"]),
        await ask(["l10n_do_accounting.group_l10n_do_fiscal_credit_note"]),
        await ask(["point_of_sale.group_pos_user"]),
        await ask(["no.such_group"]),
      ];
    }
    expect(answers).toEqual({
      manager: [true, true, true, true, false],
      clerk: [true, true, false, true, false],
      waiter: [false, false, false, true, false],
    });
  });

  it("a session outlives a restart and ends after seven days without use [BO-7]", async () => {
    let now = Date.parse("2026-03-01T12:00:00Z");
    const office = await startTestBackOffice({ now: () => now });
    const post = await office.signIn("waiter");
    await office.restart();
    now += 6 * 24 * 3600_000;
    expect((await post("/payments/methods")).status).toBe(200);
    now += 6 * 24 * 3600_000;
    expect((await post("/payments/methods")).status).toBe(200);
    now += 7 * 24 * 3600_000 + 1;
    expect((await post("/payments/methods")).status).toBe(401);
  });

  it("every POST of the POS API accepts the session as cookie or bearer, and is 401 without it [BO-8]", async () => {
    const office = await startTestBackOffice();
    const paths = [
      "/bootstrap",
      "/orders/create",
      "/orders/reserve-ncf",
      "/orders/credit-note",
      "/hub/batch-sync",
      "/hub/finalize",
      "/payments/methods",
      "/customers/credit-check",
      "/floor-plan/save",
    ];
    const id = await office.sessionIdOf("manager");
    for (const path of paths) {
      const at = `/pos-api/v1${path}`;
      expect(await office.call("POST", at, {})).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
      const dead = await office.call("POST", at, {}, { authorization: "Bearer dead" });
      expect(dead).toMatchObject({ status: 401, body: { errorCode: "UNAUTHENTICATED" } });
      expect((await office.call("POST", at, {}, cookie(id))).status).not.toBe(401);
      expect((await office.call("POST", at, {}, { authorization: `Bearer ${id}` })).status).not.toBe(401);
    }
  });

  it("DELETE user-sessions ends all sessions [BO-78]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("manager");
    await office.signIn("waiter");
    expect(await office.stub("DELETE", "/user-sessions")).toEqual({ ended: 2 });
    expect((await post("/bootstrap")).status).toBe(401);
  });
});

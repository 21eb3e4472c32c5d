import { JsonRpcAnswer, SessionInfo } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { order } from "./builders.ts";
import { rpc, startTestBackOffice } from "./start-test-back-office.ts";

const sessionInfo = "/web/session/get_session_info";
const authenticate = "/web/session/authenticate";

describe("quirks of an Odoo server", () => {
  it("quirks are off at the start, replaced as a whole, returned, and reset by DELETE [BO-81]", async () => {
    const office = await startTestBackOffice();
    const off = {
      envelope: false,
      rotateSession: "off",
      htmlStatus: null,
      secondFactor: false,
      deadSession404: false,
      hidePos: false,
      tooManyLoginFailures: false,
      errorCode200: false,
      date: null,
      serverVersion: null,
      verifyTotals: false,
      lacks: [],
      fiscal: "signed",
      fiscalAfterMs: 3000,
    };
    expect(await office.stub("POST", "/quirks", { hidePos: true })).toEqual({ quirks: { ...off, hidePos: true } });
    expect(await office.stub("POST", "/quirks", { envelope: true })).toEqual({ quirks: { ...off, envelope: true } });
    expect(await office.stub("DELETE", "/quirks")).toEqual({ quirks: off });
  });

  it("the date quirk sets the Date header of answers, or leaves it out [CLOCK-20]", async () => {
    const office = await startTestBackOffice();
    const dateOf = async () => (await fetch(`${office.url}${sessionInfo}`, { method: "POST" })).headers.get("date");
    await office.stub("POST", "/quirks", { date: "2100-01-01T00:00:00Z" });
    expect(await dateOf()).toBe("Fri, 01 Jan 2100 00:00:00 GMT");
    await office.stub("POST", "/quirks", { date: "none" });
    expect(await dateOf()).toBeNull();
    await office.stub("DELETE", "/quirks");
    expect(Date.parse((await dateOf()) ?? "")).toBeGreaterThan(0);
  });

  it("the envelope quirk makes the POS API answer in JSON-RPC with HTTP 200, failures included [BO-82]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    const plain = (await post("/payments/methods")).body;
    await office.stub("POST", "/quirks", { envelope: true });
    const good = await post("/payments/methods", rpc({}, "q1"));
    expect(good).toMatchObject({ status: 200, body: { jsonrpc: "2.0", id: "q1", result: plain } });
    const refused = await post("/orders/release-ncf", { pos_reference: "POS/x", reason: "discarded" });
    expect(refused.status).toBe(200);
    expect(JsonRpcAnswer.parse(refused.body).error).toMatchObject({
      code: 0,
      data: { name: "odoo.exceptions.MissingError", errorCode: "NOT_FOUND", status: 404 },
    });
    expect((await post("/orders/create", rpc(order("POS/1")))).body.result).toMatchObject({ existing: false });
    await office.stub("DELETE", "/user-sessions");
    expect((await post("/payments/methods")).body.error.code).toBe(100);
  });

  it("the lacks quirk removes an extension's route or its part of bootstrap, and nothing else [BO-130]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    const calls = [
      ["orders/release-ncf", { pos_reference: "POS/1", reason: "discarded" }],
      ["customers/search", { query: "ana" }],
      ["hub/lookup", { posReferences: [] }],
    ] as const;
    for (const [path, body] of calls) {
      await post("/orders/reserve-ncf", { pos_reference: "POS/1", type: "B02" });
      await office.stub("POST", "/quirks", { lacks: [path] });
      expect(await post(`/${path}`, body)).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
      await office.stub("DELETE", "/quirks");
      expect((await post(`/${path}`, body)).status).toBe(200);
    }
    const parts = async () => {
      const { config, ncfSequences } = (await post("/bootstrap")).body;
      return ["rounding" in config, "ncfSequences" in config, ncfSequences !== undefined];
    };
    expect(await parts()).toEqual([true, true, true]);
    await office.stub("POST", "/quirks", { lacks: ["rounding"] });
    expect(await parts()).toEqual([false, true, true]);
    await office.stub("POST", "/quirks", { lacks: ["ncfSequences"] });
    expect(await parts()).toEqual([true, false, false]);
    expect(await office.call("POST", "/stub/v1/quirks", { lacks: ["orders/create"] })).toMatchObject({ status: 400 });
  });

  it("the rotateSession quirk puts a new session id in every answer, and hard ends the old one [BO-83]", async () => {
    const office = await startTestBackOffice();
    for (const [rotateSession, isOldValid] of [
      ["soft", true],
      ["hard", false],
    ] as const) {
      await office.stub("DELETE", "/quirks");
      const old = await office.sessionIdOf("waiter");
      await office.stub("POST", "/quirks", { rotateSession });
      const answer = await office.call("POST", sessionInfo, rpc({}), { cookie: `session_id=${old}` });
      const fresh = /session_id=([^;]+)/.exec(answer.setCookie ?? "")?.[1];
      expect(fresh).not.toBe(old);
      await office.stub("DELETE", "/quirks");
      const bearer = (id: string | undefined) => ({ authorization: `Bearer ${id}` });
      const withFresh = await office.call("POST", "/pos-api/v1/payments/methods", {}, bearer(fresh));
      const withOld = await office.call("POST", "/pos-api/v1/payments/methods", {}, bearer(old));
      expect([withFresh.status, withOld.status === 200]).toEqual([200, isOldValid]);
    }
  });

  it("the htmlStatus quirk answers with a proxy's page, except on the control surface [BO-84]", async () => {
    const office = await startTestBackOffice();
    await office.stub("POST", "/quirks", { htmlStatus: 502 });
    for (const path of [authenticate, "/pos-api/v1/bootstrap"]) {
      const answer = await office.call("POST", path, rpc({}));
      expect(answer.status).toBe(502);
      expect(answer.body).toContain("<html>");
    }
    expect((await office.call("GET", "/stub/v1/orders")).status).toBe(200);
  });

  it("quirks change the outcome of a sign-in: secondFactor, tooManyLoginFailures, errorCode200 [BO-85]", async () => {
    const office = await startTestBackOffice();
    const signIn = () => office.call("POST", authenticate, rpc({ db: "demo", login: "manager", password: "manager" }));
    await office.stub("POST", "/quirks", { secondFactor: true });
    const second = await signIn();
    expect(second).toMatchObject({ status: 200, setCookie: null, body: { result: { uid: null } } });
    expect(SessionInfo.parse(second.body.result).uid).toBeNull();
    await office.stub("POST", "/quirks", { tooManyLoginFailures: true, errorCode200: true });
    expect((await signIn()).body.error).toMatchObject({
      code: 200,
      data: { name: "odoo.exceptions.AccessDenied", message: expect.stringContaining("Too many login failures") },
    });
  });

  it("quirks change the answers about a session: deadSession404, hidePos, serverVersion [BO-86]", async () => {
    const office = await startTestBackOffice();
    const headers = { cookie: `session_id=${await office.sessionIdOf("manager")}` };
    const hasGroup = async (args: unknown) =>
      (await office.call("POST", "/web/dataset/call_kw/res.users/has_group", rpc({ args }), headers)).body;
    await office.stub("POST", "/quirks", { deadSession404: true, hidePos: true, serverVersion: "18.0" });
    const { result } = (await office.call("POST", sessionInfo, rpc({}), headers)).body;
    expect(result).toMatchObject({ uid: 6, server_version: "18.0" });
    expect(result).not.toHaveProperty("pos");
    expect(await hasGroup([[6], "point_of_sale.group_pos_manager"])).toMatchObject({ result: true });
    expect(await hasGroup(["point_of_sale.group_pos_manager"])).toHaveProperty("error");
    await office.stub("POST", "/quirks", { deadSession404: true, serverVersion: "17.0" });
    expect(await hasGroup(["point_of_sale.group_pos_manager"])).toMatchObject({ result: true });
    expect(await hasGroup([[6], "point_of_sale.group_pos_manager"])).toHaveProperty("error");
    expect((await office.call("POST", sessionInfo, rpc({}))).body.error.code).toBe(404);
  });
});

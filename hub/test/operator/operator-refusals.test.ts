import { AuditAction, sentence, sentenceInEnglish } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { BackOfficeError } from "../../back-office/back-office-error.ts";
import { relayedRefusal } from "../../back-office/relayed-refusal.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

describe("refusals", () => {
  it("a refusal names its sentence and the values in it [OP-165]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const unknown = await call("changeSettings", { body: { values: { HUB_COLOUR: "red" } } });
    expect(unknown).toMatchObject({
      status: 400,
      body: {
        error: "values.HUB_COLOUR: there is no such setting",
        errorCode: "VALIDATION_ERROR",
        reason: "setting_unknown",
        values: { setting: "HUB_COLOUR" },
      },
    });
    const missing = await call("forwardEvent", { params: { eventId: "999" } });
    expect(Object.keys(missing.body)).toEqual(["error", "errorCode"]);
  });

  it("a refusal of invalid input lists the problem of each field [OP-165]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const { status, body } = await call("createWebhook", {
      body: { url: `https://${"x".repeat(3000)}`, events: ["nothing"] },
    });
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      expect.objectContaining({ path: ["url"], code: "too_big", origin: "string", maximum: 2048 }),
      expect.objectContaining({ path: ["events", 0], code: "invalid_union" }),
    ]);
    const empty = await call("createWebhook", { body: {} });
    expect(empty.body.issues).toEqual([expect.objectContaining({ path: ["url"], missing: true })]);
  });

  it("a refusal passes on what the back-office answered, with its code [OP-165]", () => {
    const refusal = relayedRefusal(
      new BackOfficeError("refused", "La orden no tiene NCF", { errorCode: "ORDER_HAS_NO_NCF", status: 409 }),
    );
    expect(refusal).toMatchObject({
      code: "ORDER_HAS_NO_NCF",
      explanation: { backOffice: { words: "La orden no tiene NCF", errorCode: "ORDER_HAS_NO_NCF" } },
    });
  });

  it("a refusal outside the operator API has no explanation for screens [OP-165]", async () => {
    const hub = await startTestHub();
    const headers = { Authorization: `Bearer ${await hub.signIn("manager")}` };
    const keys = await hub.send("POST", "/external-keys", { headers, body: { label: "", scopes: [] } });
    expect(keys.status).toBe(400);
    expect(Object.keys(keys.body).toSorted()).toEqual(["error", "errorCode"]);
  });
});

describe("sentences", () => {
  it("the hub's sentences contain their values, and combine with a subject and a remark [OP-166]", () => {
    expect(sentenceInEnglish(sentence("totals_differ", { there: "1.00", here: "2.00" }))).toBe(
      "the back-office has this order with a total of 1.00, but 2.00 was paid here",
    );
    expect(sentenceInEnglish({ about: "B0100000001", ...sentence("note_damaged"), words: "seen twice" })).toBe(
      "B0100000001: damaged: seen twice",
    );
    expect(sentenceInEnglish({ words: "El producto 112 no tiene cuenta contable" })).toBe(
      "El producto 112 no tiene cuenta contable",
    );
  });

  it("a failure of the back-office is stored as the name of one of the hub's sentences [OP-166]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const call = operatorOf(hub);
    await until("reachable", async () => (await call("backOffice")).body.state === "reachable");
    await hub.backOffice.kill();
    const { lastError } = (await call("tryBackOffice")).body;
    expect(lastError.error).toEqual({ reason: "back_office_unreachable" });
  });
});

describe("audit log", () => {
  it("the audit log contains only actions of the protocol's list [OP-168]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const { keyId } = (await call("createKey", { body: { label: "Web", scopes: ["read"] } })).body;
    await call("updateKey", { params: { keyId }, body: { enabled: false } });
    await call("deleteKey", { params: { keyId } });
    await call("pauseWebhooks", { body: { paused: true } });
    await call("tryBackOffice");
    const { entries } = (await call("audit")).body;
    const actions = entries.map((entry: { action: string }) => AuditAction.parse(entry.action));
    expect(actions).toEqual(["back_office.try", "webhooks.pause", "key.delete", "key.disable", "key.create"]);
  });
});

describe("time zone", () => {
  it("the overview names the restaurant's time zone, which decides on which day a booking is [OP-167]", async () => {
    const hub = await startTestHub({
      env: { HUB_TIME_ZONE: "Pacific/Kiritimati", HUB_ENABLED_PLUGINS: "reservations" },
    });
    const call = operatorOf(hub);
    expect((await call("overview", { token: null })).body.hub.timeZone).toBe("Pacific/Kiritimati");
    expect((await call("version")).body.timeZone).toBe("Pacific/Kiritimati");
    const key = (await call("createKey", { body: { label: "Reservas", scopes: ["plugins:write"] } })).body.token;
    await hub.send("POST", "/external/v1/plugins/reservations/events", {
      headers: { "X-Api-Key": key },
      body: { key: "r1", payload: { tableId: 1, at: "2030-03-01T23:00:00Z", guestName: "Rosa" } },
    });
    const on = async (date: string) => {
      const { body } = await call("reservations", { query: { date } });
      return body.reservations.map((each: { key: string }) => each.key);
    };
    expect(await on("2030-03-02")).toEqual(["r1"]);
    expect(await on("2030-03-01")).toEqual([]);
  });
});

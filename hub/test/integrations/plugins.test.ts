import { describe, expect, it } from "vitest";
import { takeoutOrder } from "../support/builders.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const env = {
  HUB_ENABLED_PLUGINS: "reservations, board",
  HUB_EXTERNAL_RATE_MAX: "10000",
  HUB_EXTERNAL_KEY_RATE_MAX: "10000",
};
const events = "/plugins/reservations/events";
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

describe("disabled plugins ", () => {
  it("a plugin that is not enabled is answered with 404 before the key is checked [PLUG-1]", async () => {
    const hub = await startTestHub({ env });
    for (const path of [
      "/plugins",
      "/plugins/",
      "/plugins/other/events",
      "/plugins/Reservations/events",
      "/plugins/%72eservations/events",
    ]) {
      expect(await hub.external(null).get(path), path).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    }
    for (const path of [events, "/plugins/board/events", "/plugins/reservations", "/plugins/reservations/nowhere"]) {
      expect((await hub.external(null).get(path)).status, path).toBe(401);
    }
    const bare = await startTestHub();
    expect((await bare.external(null).get(events)).status).toBe(404);
    expect((await bare.external(null).post(events, {})).status).toBe(404);
  });
});

describe("records", () => {
  it("a posted record is stored, pushed to terminals and listed [PLUG-2][PLUG-4]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const terminal = await hub.terminal();
    const table = { tableId: 31, at: "2026-11-20T20:30:00-04:00" };
    const payload = { ...table, guestName: "Ana", nested: [1, "x", null, { deep: true }] };
    const { status, body } = await external.post(events, { key: "r/1", payload });
    expect(status).toBe(202);
    expect(body).toEqual({
      pluginId: "reservations",
      key: "r/1",
      payload,
      version: 1,
      createdAt: isoTime,
      updatedAt: isoTime,
      expiresAt: null,
    });
    expect(await terminal.next("PLUGIN_RECORD")).toMatchObject({ record: body });
    expect((await external.get(events)).body).toEqual({ events: [body] });
    expect((await external.get(`${events}/r%2F1`)).body).toEqual(body);
    expect((await external.get("/plugins/board/events")).body).toEqual({ events: [] });
    expect(await external.get(`${events}/none`)).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    expect((await hub.terminal({ deviceId: "late" })).sync.pluginRecords).toEqual([body]);
  });

  it("each post raises a record's version, also after a removal and a restart [PLUG-3][PLUG-5]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const terminal = await hub.terminal();
    const post = async (n: number) => (await external.post(events, { key: "r", payload: { n } })).body;
    expect((await post(1)).version).toBe(1);
    const second = await post(2);
    expect(second).toMatchObject({ version: 2, payload: { n: 2 } });
    expect(await external.delete(`${events}/r`)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await terminal.next("PLUGIN_REMOVED")).toMatchObject({ pluginId: "reservations", key: "r" });
    expect(await external.delete(`${events}/r`)).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    expect((await external.get(`${events}/r`)).status).toBe(404);
    await hub.restart();
    expect((await post(3)).version).toBeGreaterThan(second.version);
    expect((await external.get(events)).body.events).toHaveLength(1);
  });

  it("an expired record is removed and terminals are notified [PLUG-6]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const terminal = await hub.terminal();
    const { body } = await external.post(events, { key: "soon", payload: {}, ttlSeconds: 1 });
    expect(Date.parse(body.expiresAt) - Date.parse(body.updatedAt)).toBe(1000);
    await external.post(events, { key: "later", payload: {}, ttlSeconds: 31_536_000 });
    expect(await terminal.next("PLUGIN_REMOVED")).toMatchObject({ key: "soon" });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(body.expiresAt));
    expect((await external.get(`${events}/soon`)).status).toBe(404);
    const listed = await until("only the other is left", async () => {
      const keys = (await external.get(events)).body.events.map((record: { key: string }) => record.key);
      return keys.length === 1 && keys;
    });
    expect(listed).toEqual(["later"]);
    expect((await external.post(events, { key: "soon", payload: {} })).body.version).toBeGreaterThan(1);
  });

  it("a payload that is no valid booking is stored as sent [PLUG-8]", async () => {
    const hub = await startTestHub({ env });
    const payload = { tableId: 999_999, at: "tomorrow", status: "whatever" };
    expect((await hub.external().post(events, { key: "odd", payload })).status).toBe(202);
    expect((await hub.external().get(`${events}/odd`)).body.payload).toEqual(payload);
  });

  it("names such as __proto__ are stored as sent and shown to terminals [PLUG-8]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const terminal = await hub.terminal();
    const sent = '{"__proto__":{"a":1},"constructor":{"prototype":{}},"in":{"__proto__":[2]}}';
    const shown = [
      (await external.post(events, `{"key":"odd","payload":${sent}}`)).body,
      (await external.get(`${events}/odd`)).body,
      (await terminal.next("PLUGIN_RECORD")).record,
    ];
    for (const { payload } of shown) expect(JSON.stringify(payload)).toBe(sent);
  });

  it("a payload may have any text and finite number, but other fields may not [PLUG-8][EXT-74]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const terminal = await hub.terminal();
    const payload = { "a\u0007": "one\r\ntwo\u0000\u001b[2J\u007f \u202e \ud83d", huge: 1.7e308, list: [[1e20, "\r"]] };
    expect((await external.post(events, { key: "odd", payload })).body.payload).toEqual(payload);
    expect((await external.get(`${events}/odd`)).body.payload).toEqual(payload);
    expect(await terminal.next("PLUGIN_RECORD")).toMatchObject({ record: { payload } });
    for (const [field, body] of [
      ["key", { key: "a\u0007", payload }],
      ["ttlSeconds", { key: "a", payload, ttlSeconds: 1e20 }],
      ["the body", { key: "a", payload, "other\u0007": 1 }],
    ] as const) {
      const { status, body: answer } = await external.post(events, body);
      expect([status, answer.errorCode], field).toEqual([400, "VALIDATION_ERROR"]);
    }
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect((await external.post(events, `{"key":"deep","payload":{"in":${deep}}}`)).status).toBe(400);
  });

  it("a booking that terminals drop gets a warning, and other records get none [EXT-91]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const terminal = await hub.terminal();
    const good = { tableId: 31, at: "2026-11-20T20:30:00-04:00", guestName: "Ana Lucía" };
    const others = [{ status: "seated", color: "red" }, { tableId: 999_999 }, { at: "2026-11-20T20:30-04:00" }];
    for (const payload of [good, ...others.map((other) => ({ ...good, ...other }))]) {
      const { status, body } = await external.post(events, { key: "b", payload });
      expect(status).toBe(202);
      expect(body).not.toHaveProperty("warnings");
    }
    for (const [field, value] of [
      ["at", "2026-11-20T20:30:00"],
      ["guestName", ""],
      ["partySize", 51],
      ["status", "late"],
      ["leadMinutes", 241],
      ["tableId", undefined],
    ] as const) {
      const { status, body } = await external.post(events, { key: "b", payload: { ...good, [field]: value } });
      expect(status, field).toBe(202);
      expect(body.warnings, field).toEqual([
        expect.stringMatching(`^terminals will not show this booking: ${field}: `),
      ]);
      expect((await external.get(`${events}/b`)).body, field).toEqual(body);
    }
    const { record } = await terminal.next("PLUGIN_RECORD", ({ record: { version } }) => version === 10);
    expect(record.warnings).toEqual([expect.stringMatching("tableId: ")]);
    expect((await external.post("/plugins/board/events", { key: "b", payload: {} })).body).not.toHaveProperty(
      "warnings",
    );
  });
});

/** Builds an object nested `levels` deep, counting itself. */
function nested(levels: number): Record<string, unknown> {
  return levels === 1 ? {} : { in: nested(levels - 1) };
}

/** Builds a payload of exactly `bytes` bytes of JSON. */
function sized(bytes: number): Record<string, unknown> {
  const parts = ["a", "b", "c", "d", "e"].map((key): [string, string] => [key, "x".repeat(1600)]);
  const payload = Object.fromEntries(parts);
  payload["e"] = "x".repeat(1600 - (JSON.stringify(payload).length - bytes));
  return payload;
}

describe("bounds", () => {
  const long = (length: number): string => "x".repeat(length);
  const list = (length: number): number[] => Array.from({ length }, (_, n) => n);
  const good: Record<string, unknown> = {
    "key of 1": { key: "k", payload: {} },
    "key of 128": { key: long(128), payload: {} },
    "key of other letters": { key: "Señor Ñ / 1", payload: {} },
    "ttl of a second": { key: "k", payload: {}, ttlSeconds: 1 },
    "ttl of a year": { key: "k", payload: {}, ttlSeconds: 31_536_000 },
    "5 levels": { key: "k", payload: nested(5) },
    "5 levels with a list": { key: "k", payload: { a: { b: { c: { d: [1] } } } } },
    "string of 2000": { key: "k", payload: { text: long(2000) } },
    "list of 100": { key: "k", payload: { list: list(100) } },
    "name of 64": { key: "k", payload: { [long(64)]: 1 } },
    "string of 2000 beyond U+FFFF": { key: "k", payload: { text: "🍕".repeat(2000) } },
    "name of 64 beyond U+FFFF": { key: "k", payload: { ["🍕".repeat(64)]: 1 } },
    "8192 bytes": { key: "k", payload: sized(8192) },
  };
  const bad: Record<string, unknown> = {
    "no key": { payload: {} },
    "key empty": { key: "", payload: {} },
    "key of 129": { key: long(129), payload: {} },
    "key with a newline": { key: "a\nb", payload: {} },
    "no payload": { key: "k" },
    "payload a list": { key: "k", payload: [] },
    "payload null": { key: "k", payload: null },
    "payload a text": { key: "k", payload: "x" },
    "ttl 0": { key: "k", payload: {}, ttlSeconds: 0 },
    "ttl of more than a year": { key: "k", payload: {}, ttlSeconds: 31_536_001 },
    "ttl 1.5": { key: "k", payload: {}, ttlSeconds: 1.5 },
    "ttl null": { key: "k", payload: {}, ttlSeconds: null },
    "6 levels": { key: "k", payload: nested(6) },
    "6 levels with a list": { key: "k", payload: { a: { b: { c: { d: [[1]] } } } } },
    "string of 2001": { key: "k", payload: { text: long(2001) } },
    "list of 101": { key: "k", payload: { list: list(101) } },
    "name of 65": { key: "k", payload: { [long(65)]: 1 } },
    "string of 2001 beyond U+FFFF": { key: "k", payload: { text: "🍕".repeat(2001) } },
    "name of 65 beyond U+FFFF": { key: "k", payload: { ["🍕".repeat(65)]: 1 } },
    "8193 bytes": { key: "k", payload: sized(8193) },
    "an unknown field": { key: "k", payload: {}, tableId: 1 },
  };

  it("each field is accepted at its bound and refused above it [PLUG-7]", async () => {
    expect(JSON.stringify(sized(8193))).toHaveLength(8193);
    const hub = await startTestHub({ env });
    const external = hub.external();
    for (const [name, body] of Object.entries(good)) {
      const answer = await external.post(events, body);
      expect(answer.status, `${name}: ${JSON.stringify(answer.body).slice(0, 200)}`).toBe(202);
    }
    const before = (await external.get(events)).body;
    for (const [name, body] of Object.entries(bad)) {
      expect(await external.post(events, body), name).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
    const infinite = await external.post(events, '{"key":"k","payload":{"n":1e999}}');
    expect(infinite.body.errorCode).toBe("VALIDATION_ERROR");
    expect((await external.get(events)).body).toEqual(before);
  });

  it("pluginData of an order has the same bounds as a record [PLUG-9]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const statusOf = async (payload: unknown) =>
      (await external.post("/orders", takeoutOrder({ pluginData: { reservations: payload } }))).status;
    for (const payload of [nested(5), sized(8192), { list: list(100) }]) expect(await statusOf(payload)).toBe(201);
    for (const payload of [nested(6), sized(8193), { list: list(101) }, { [long(65)]: 1 }, { text: long(2001) }]) {
      expect(await statusOf(payload)).toBe(400);
    }
  });
});

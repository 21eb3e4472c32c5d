import { describe, expect, it } from "vitest";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";

const env = { HUB_ENABLED_PLUGINS: "reservations" };
const events = "/plugins/reservations/events";
const payload = { tableId: 31, at: "2026-11-20T20:30:00-04:00", guestName: "Ana Lucía", color: "red" };

describe("status of bookings", () => {
  it("any user sets a booking's status, which is stored in its record and sent to every terminal [PLUG-20] [TAPI-71]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const setStatus = statusSetterOf(hub);
    const terminal = await hub.terminal();
    const { body: posted } = await external.post(events, { key: "r/1", payload, ttlSeconds: 3600 });

    const { status, body } = await setStatus("r/1", { status: "no_show", version: 1 });
    expect(status).toBe(200);
    const { updatedAt: _, ...unchanged } = posted;
    expect(body).toMatchObject({ ...unchanged, payload: { ...payload, status: "no_show" }, version: 2 });
    const message = await terminal.next("PLUGIN_RECORD", ({ record }) => record.version === 2);
    expect(message.record).toEqual(body);
    expect((await external.get(`${events}/r%2F1`)).body).toEqual(body);
    expect((await setStatus("r/1", { status: "booked", version: 2 }, "manager")).body).toMatchObject({ version: 3 });

    await external.post(events, { key: "r/1", payload });
    const { record } = await terminal.next("PLUGIN_RECORD", ({ record: { version } }) => version === 4);
    expect(record.payload).toEqual(payload);
  });

  it("a status is refused for an unknown or removed booking, for a record that is none, and without the plugin [TAPI-71]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const setStatus = statusSetterOf(hub);
    const seated = { status: "seated", version: 1 };
    const refused = async (key: string, body: unknown) => (await setStatus(key, body)).body.errorCode;
    await external.post(events, { key: "b", payload });
    await external.post(events, { key: "odd", payload: { guestName: "Ana" } });
    await external.post(events, { key: "gone", payload });
    await external.delete(`${events}/gone`);

    expect(await refused("none", seated)).toBe("NOT_FOUND");
    expect(await refused("gone", seated)).toBe("NOT_FOUND");
    expect(await refused("odd", seated)).toBe("VALIDATION_ERROR");
    for (const body of [{ ...seated, status: "late" }, { status: "seated" }, { ...seated, version: 0 }, {}]) {
      expect(await refused("b", body), JSON.stringify(body)).toBe("VALIDATION_ERROR");
    }
    expect((await external.get(`${events}/b`)).body).toMatchObject({ payload, version: 1 });

    const other = await startTestHub();
    expect(await statusSetterOf(other)("b", seated)).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
  });

  it("a status is refused when the booking has changed since, unless it is the same [TAPI-72]", async () => {
    const hub = await startTestHub({ env });
    const external = hub.external();
    const setStatus = statusSetterOf(hub);
    for (const tableId of [31, 32]) await external.post(events, { key: "b", payload: { ...payload, tableId } });

    const late = await setStatus("b", { status: "cancelled", version: 1 });
    expect(late).toMatchObject({ status: 409, body: { errorCode: "CONFLICT", version: 2 } });
    expect((await external.get(`${events}/b`)).body).toMatchObject({ version: 2, payload: { tableId: 32 } });
    await setStatus("b", { status: "cancelled", version: 2 });
    const again = await setStatus("b", { status: "cancelled", version: 2 });
    expect(again).toMatchObject({ status: 200, body: { version: 3 } });
  });
});

describe("telephone bookings", () => {
  const call = { tableId: 31, guestName: "Ana Lucía", partySize: 4, phone: "809-555-1234", notes: "cumpleaños" };

  it("a telephone booking is a record like any other, also without the plugin [TAPI-75]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const put = bookingWriterOf(hub);
    const at = new Date(Date.now() + 3 * 60 * 60_000).toISOString();
    const { status, body } = await put("call-1", { ...call, at });
    expect(status).toBe(200);
    expect(body).toMatchObject({ pluginId: "reservations", key: "call-1", version: 1 });
    expect(body.payload).toEqual({ ...call, at, source: "phone", takenBy: "Wendy Almonte" });
    expect(Date.parse(body.expiresAt) - Date.parse(at)).toBeCloseTo(36 * 60 * 60_000, -3);
    expect((await terminal.next("PLUGIN_RECORD", ({ record }) => record.key === "call-1")).record).toEqual(body);
    const seated = await statusSetterOf(hub)("call-1", { status: "seated", version: 1 });
    expect(seated.body).toMatchObject({ version: 2, payload: { status: "seated", guestName: "Ana Lucía" } });
    // A retry after the first answer was lost.
    expect((await put("call-1", { ...call, at }, "manager")).body).toMatchObject({ version: 2 });
  });

  it("a telephone booking never overwrites another booking, and its time must be plausible [TAPI-75]", async () => {
    const hub = await startTestHub({ env });
    const put = bookingWriterOf(hub);
    const at = new Date(Date.now()).toISOString();
    await hub.external().post(events, { key: "web", payload });
    const refused = await put("web", { ...call, at });
    expect(refused).toMatchObject({ status: 409, body: { errorCode: "CONFLICT", version: 1 } });
    const offAt = (ms: number) => ({ at: new Date(Date.now() + ms).toISOString() });
    const day = 24 * 60 * 60_000;
    for (const wrong of [
      offAt(-day),
      offAt(361 * day),
      { at: "2026-11-20T20:30" },
      { guestName: "" },
      { partySize: 0 },
    ]) {
      const { status, body } = await put("call-2", { ...call, at, ...wrong });
      expect([status, body.errorCode], JSON.stringify(wrong)).toEqual([400, "VALIDATION_ERROR"]);
    }
  });
});

describe("changed telephone bookings", () => {
  const call = { tableId: 31, guestName: "Ana Lucía", partySize: 4, phone: "809-555-1234" };
  const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60_000).toISOString();

  it("a changed telephone booking keeps its author and status, and expires after its new time [TAPI-130]", async () => {
    const hub = await startTestHub();
    const put = bookingWriterOf(hub);
    await put("call-1", { ...call, at: inHours(3), notes: "cumpleaños" });
    await statusSetterOf(hub)("call-1", { status: "no_show", version: 1 });
    const { phone: _, ...withoutPhone } = call;
    const later = { ...withoutPhone, at: inHours(50), partySize: 6 };
    const { status, body } = await put("call-1", { ...later, version: 2 }, "manager");
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: 3 });
    expect(body.payload).toEqual({ ...later, source: "phone", takenBy: "Wendy Almonte", status: "no_show" });
    expect(Date.parse(body.expiresAt) - Date.parse(later.at)).toBeCloseTo(36 * 60 * 60_000, -3);
    // A retry after the first answer was lost.
    expect((await put("call-1", { ...later, version: 2 })).body).toMatchObject({ version: 3 });
  });

  it("a change is refused over another version, without a booking, and for an integration's booking [TAPI-130]", async () => {
    const hub = await startTestHub({ env });
    const put = bookingWriterOf(hub);
    const at = inHours(3);
    await put("call-1", { ...call, at });
    await put("call-1", { ...call, at, partySize: 5, version: 1 });
    const late = await put("call-1", { ...call, at, partySize: 6, version: 1 });
    expect(late).toMatchObject({ status: 409, body: { errorCode: "CONFLICT", version: 2 } });
    expect(await put("gone", { ...call, at, version: 1 })).toMatchObject({ status: 404 });
    await hub.external().post(events, { key: "web", payload });
    expect(await put("web", { ...call, at, version: 1 })).toMatchObject({ body: { errorCode: "CONFLICT" } });
    expect(await put("call-1", { ...call, at, version: 0 })).toMatchObject({ body: { errorCode: "VALIDATION_ERROR" } });
  });
});

describe("waiting list", () => {
  const party = { guestName: "Luis", partySize: 4, phone: "809-555-1234", quotedMinutes: 20 };

  it("any user adds waiting guests, who are sent to every terminal and expire after 12 hours [PLUG-21] [TAPI-73]", async () => {
    const hub = await startTestHub();
    const put = waitingWriterOf(hub);
    const terminal = await hub.terminal();

    const { status, body } = await put("p-1", { ...party, version: 0 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ pluginId: "waiting", key: "p-1", version: 1 });
    expect(body.payload).toEqual({ ...party, status: "waiting", since: expect.stringMatching(/Z$/) });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(12 * 60 * 60_000);
    expect((await terminal.next("PLUGIN_RECORD")).record).toEqual(body);

    const seated = await put("p-1", { ...party, status: "seated", version: 1 }, "manager");
    expect(seated.body).toMatchObject({
      version: 2,
      expiresAt: body.expiresAt,
      payload: { ...party, status: "seated", since: body.payload.since },
    });
    expect((await hub.terminal({ deviceId: "late" })).sync.pluginRecords).toEqual([seated.body]);
  });

  it("waiting guests with invalid data, or changed by others since, are refused [TAPI-73] [TAPI-74]", async () => {
    const hub = await startTestHub();
    const put = waitingWriterOf(hub);
    for (const wrong of [
      { guestName: "" },
      { partySize: 0 },
      { partySize: 51 },
      { quotedMinutes: -1 },
      { status: "gone" },
      { version: undefined },
    ]) {
      const { status, body } = await put("p-1", { ...party, version: 0, ...wrong });
      expect([status, body.errorCode], JSON.stringify(wrong)).toEqual([400, "VALIDATION_ERROR"]);
    }
    expect((await put("x".repeat(129), { ...party, version: 0 })).status).toBe(400);
    const departed = { ...party, status: "left" };
    expect(await put("p-1", { ...departed, version: 3 })).toMatchObject({ status: 409, body: { version: 0 } });
    await put("p-1", { ...party, version: 0 });
    expect(await put("p-1", { ...party, version: 0 })).toMatchObject({ status: 200, body: { version: 1 } });
    const conflict = { status: 409, body: { errorCode: "CONFLICT", version: 1 } };
    expect(await put("p-1", { ...departed, version: 0 })).toMatchObject(conflict);
  });
});

function waitingWriterOf(hub: TestHub) {
  return async (key: string, body: unknown, login = "waiter") =>
    hub.send("PUT", `/terminal/v1/waiting/${key}`, {
      headers: { Authorization: `Bearer ${await hub.signIn(login)}` },
      body,
    });
}

function bookingWriterOf(hub: TestHub) {
  return async (key: string, body: unknown, login = "waiter") =>
    hub.send("PUT", `/terminal/v1/reservations/${key}`, {
      headers: { Authorization: `Bearer ${await hub.signIn(login)}` },
      body,
    });
}

function statusSetterOf(hub: TestHub) {
  return async (key: string, body: unknown, login = "waiter") =>
    hub.send("PATCH", `/terminal/v1/reservations/${encodeURIComponent(key)}`, {
      headers: { Authorization: `Bearer ${await hub.signIn(login)}` },
      body,
    });
}

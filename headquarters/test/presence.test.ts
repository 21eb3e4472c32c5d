import path from "node:path";
import { HOUR_MS } from "@comanda/protocol";
import type { ChainBeat } from "@comanda/protocol/chain.ts";
import { createUser } from "@nats-io/nkeys";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { deriveAlerts } from "../alerts/alert-loop.ts";
import { openAlerts } from "../alerts/alert-store.ts";
import { createLagWatch } from "../alerts/lag-watch.ts";
import { openDatabase } from "../db/open.ts";
import { connectNats } from "../nats/connect.ts";
import { readOwnKey } from "../nats/own-key.ts";
import { createPresence } from "../presence/presence.ts";
import { presenceOf } from "../presence/presence-of.ts";
import { createClock } from "./clock.ts";
import { startCuttableLine } from "./cuttable-line.ts";
import { missingNats } from "./nats-server.ts";
import { connectAs, startTestHeadquarters, type TestHeadquarters } from "./start-test-headquarters.ts";
import { testFolder } from "./test-folder.ts";

const beat: ChainBeat = {
  v: 1,
  at: "2026-11-20T22:00:00Z",
  version: "0.1.0",
  startedAt: "2026-11-20T12:00:00Z",
  seq: 7,
  status: "ok",
  reasons: [],
  sessionOpen: true,
  terminals: { connected: 3, away: 1 },
  openChecks: 4,
  openTotal: 1_200.5,
  paidChecks: 10,
  paidTotal: 9_000,
  unsent: 0,
  unsentSince: null,
  kitchen: { open: 2, late: 0 },
  fiscal: [],
  lastBackupAt: null,
  freeDiskBytes: null,
  lossesOpen: 0,
  clockOffMs: null,
};

it("a restaurant is late after 30 s and offline after 60 s of silence in which headquarters listened [HQ-60, HQ-62]", () => {
  const at = (silentMs: number, listening = -1_000_000) => presenceOf(0, silentMs, { isOn: true, since: listening });
  expect([0, 29_999, 30_000, 59_999, 60_000].map((silentMs) => at(silentMs))).toEqual([
    "online",
    "online",
    "late",
    "late",
    "offline",
  ]);
  expect(presenceOf(null, 1, { isOn: true, since: 0 })).toBe("never");
  expect(presenceOf(0, 60_000, { isOn: false, since: 50_000 })).toBe("offline");
  expect([at(500_000, 490_000), at(500_000, 440_000)]).toEqual(["online", "offline"]);
});

describe.skipIf(missingNats !== null)("presence", () => {
  let headquarters: TestHeadquarters;
  beforeAll(async () => {
    headquarters = await startTestHeadquarters();
  });
  afterAll(async () => headquarters?.stop());

  /** Advances the clock by `ms` with headquarters awake. */
  async function later(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10_000) {
      headquarters.clock.ahead += Math.min(left, 10_000);
      await headquarters.presence.tick();
    }
  }

  /** Returns when a restaurant was last heard, in ms since 1970; 0 for never. */
  async function heardAt(id: string): Promise<number> {
    const [row] = await headquarters.database.query<{ at: Date }>(
      "SELECT heard_at AS at FROM beats WHERE restaurant_id = $1",
      [id],
    );
    return row?.at.getTime() ?? 0;
  }

  async function restaurant() {
    const enrolled = await headquarters.addRestaurant();
    const connection = await enrolled.connect();
    onTestFinished(() => connection.close());
    /** Sends a beat and resolves when headquarters have received it. */
    const say = async (message: unknown = beat) => {
      const before = await heardAt(enrolled.id);
      // A clock may show the same time twice.
      headquarters.clock.ahead += 1;
      connection.publish(`beat.${enrolled.id}`, typeof message === "string" ? message : JSON.stringify(message));
      await vi.waitUntil(
        async () => {
          await headquarters.presence.tick();
          return (await heardAt(enrolled.id)) !== before;
        },
        { timeout: 20_000 },
      );
    };
    const outages = () =>
      headquarters.database.query<{ began: Date; ended: Date | null }>(
        "SELECT began_at AS began, ended_at AS ended FROM outages WHERE restaurant_id = $1 ORDER BY id",
        [enrolled.id],
      );
    return { id: enrolled.id, connection, say, outages };
  }

  it("the last beat of a restaurant is stored, and messages that are no beat are ignored [HQ-60]", async () => {
    const { id, say, connection } = await restaurant();
    expect(await heardAt(id)).toBe(0);
    await say();
    for (const message of ["", "{", JSON.stringify({ ...beat, openChecks: "many" }), " ".repeat(9_000)]) {
      connection.publish(`beat.${id}`, message);
    }
    await say({ ...beat, seq: 8, newer: "field" });
    const [row] = await headquarters.database.query("SELECT body FROM beats WHERE restaurant_id = $1", [id]);
    expect(row).toEqual({ body: { ...beat, seq: 8, newer: "field" } });
  });

  it("beats of others are stored when one beat holds what no database accepts [HQ-60]", async () => {
    const broken = await restaurant();
    broken.connection.publish(`beat.${broken.id}`, JSON.stringify({ ...beat, reasons: ["\u0000"] }));
    await broken.connection.flush();
    const { id, say } = await restaurant();
    await say();
    expect(await headquarters.database.query("SELECT body FROM beats WHERE restaurant_id = $1", [id])).toEqual([
      { body: beat },
    ]);
    expect(await heardAt(broken.id)).toBe(0);
  });

  it("an outage opens after a minute of silence and ends with the next beat [HQ-61]", async () => {
    const { id, say, outages } = await restaurant();
    await say();
    const last = await heardAt(id);
    await later(59_000);
    expect(await outages()).toEqual([]);
    await later(2_000);
    await headquarters.presence.tick();
    expect(await outages()).toEqual([{ began: new Date(last), ended: null }]);
    await say();
    const back = await heardAt(id);
    expect(await outages()).toEqual([{ began: new Date(last), ended: new Date(back) }]);
    await later(61_000);
    expect(await outages()).toHaveLength(2);
  });

  it("a restaurant whose key was revoked has no outage [HQ-61]", async () => {
    const { id, say, outages } = await restaurant();
    await say();
    await headquarters.enrolment.revoke(id, "Eva");
    await later(90_000);
    expect(await outages()).toEqual([]);
  });

  it("an open outage ends when the restaurant's key is revoked [HQ-61]", async () => {
    const { id, say, outages } = await restaurant();
    await say();
    await later(90_000);
    expect(await outages()).toMatchObject([{ ended: null }]);
    await headquarters.enrolment.revoke(id, "Eva");
    await headquarters.presence.tick();
    expect(await outages()).toMatchObject([{ ended: expect.any(Date) }]);
  });

  it("a replacement hub has no outage or beat of the hub before it [HQ-61, HQ-259]", async () => {
    const { id, say, outages } = await restaurant();
    await say();
    await headquarters.enrolment.revoke(id, "Eva");
    await later(120_000);
    const enrol = async (hubId: string, publicKey: string) => {
      const { code } = await headquarters.enrolment.createCode(id, "Eva");
      await headquarters.enrolment.enrol({ code, publicKey, hubId, hubName: "Caja", version: "0.1.0" }, "10.0.0.1");
    };
    const next = createUser();
    await enrol("next", next.getPublicKey());
    await headquarters.presence.tick();
    expect([await outages(), await heardAt(id)]).toEqual([[], 0]);

    const connection = await connectAs(headquarters.nats.publicUrl, id, next.getSeed());
    onTestFinished(() => connection.close());
    await vi.waitUntil(async () => {
      connection.publish(`beat.${id}`, JSON.stringify(beat));
      await headquarters.presence.tick();
      return (await heardAt(id)) > 0;
    });
    // The same hub with another key.
    const last = await heardAt(id);
    await enrol("next", createUser().getPublicKey());
    expect(await heardAt(id)).toBeGreaterThanOrEqual(last);
  });

  it("silence from before headquarters listened does not count, and stored beats are remembered [HQ-62]", async () => {
    const { say, outages } = await restaurant();
    await say();
    headquarters.clock.ahead += 50_000;
    const world = { now: () => Date.now() + headquarters.clock.ahead, log: pino({ enabled: false }) };
    const restarted = createPresence(
      { database: headquarters.database, connection: headquarters.nats.connection },
      world,
    );
    headquarters.clock.ahead += 3_600_000;
    restarted.start();
    onTestFinished(() => restarted.stop());
    await restarted.tick();
    expect(await outages()).toEqual([]);
    for (let n = 0; n < 7; n += 1) {
      headquarters.clock.ahead += 10_000;
      await restarted.tick();
    }
    expect(await outages()).toHaveLength(1);
  });

  it("an outage begins no earlier than headquarters began to listen [HQ-62]", async () => {
    const database = await openDatabase({ url: null, dataDir: await testFolder() });
    onTestFinished(() => database.close());
    const clock = createClock();
    const heardAt = new Date(clock.now() - 3_600_000);
    await database.query(
      "INSERT INTO restaurants (id, name, created_at, public_key) VALUES ('rest1', 'Naco', $1, 'key')",
      [heardAt],
    );
    await database.query("INSERT INTO beats VALUES ('rest1', $1, $2::text::jsonb)", [heardAt, JSON.stringify(beat)]);
    const { connection } = headquarters.nats;
    const presence = createPresence({ database, connection }, { now: clock.now, log: pino({ enabled: false }) });
    presence.start();
    onTestFinished(() => presence.stop());
    const listening = new Date(clock.now());
    for (let n = 0; n < 7; n += 1) {
      clock.advance(10_000);
      await presence.tick();
    }
    const outages = await database.query("SELECT began_at AS began FROM outages");
    expect(outages).toEqual([{ began: listening }]);
  });

  it("silence while the machine slept, or after its clock was set, does not count [HQ-62]", async () => {
    const { id, say, outages } = await restaurant();
    const since = () => headquarters.presence.listening().since;
    await say();
    const last = await heardAt(id);
    headquarters.clock.ahead += 4 * HOUR_MS;
    // Alerts may be derived before the next tick.
    expect(presenceOf(last, last + 4 * HOUR_MS, headquarters.presence.listening())).toBe("online");
    await headquarters.presence.tick();
    expect(await outages()).toEqual([]);
    expect(since()).toBeGreaterThanOrEqual(last + 4 * HOUR_MS);
    const awake = new Date(since());
    await later(61_000);
    expect(await outages()).toEqual([{ began: awake, ended: null }]);
    headquarters.clock.ahead -= 5 * HOUR_MS;
    await headquarters.presence.tick();
    expect(since()).toBeLessThan(awake.getTime() - 4 * HOUR_MS);
    // The restaurant is still silent, and its outage must not begin in the future.
    await later(61_000);
    const now = Date.now() + headquarters.clock.ahead;
    expect(presenceOf(await heardAt(id), now, headquarters.presence.listening())).toBe("offline");
    const [outage] = await outages();
    expect(outage?.ended).toBeNull();
    expect(outage?.began.getTime()).toBeLessThan(now);
  });

  it("restaurants that were heard from while the database was down have no outage [HQ-62]", async () => {
    const { id, say, connection } = await restaurant();
    await say();
    const { database, presence, clock } = headquarters;
    await database.execute("ALTER TABLE outages RENAME TO away");
    await later(90_000);
    connection.publish(`beat.${id}`, JSON.stringify(beat));
    await connection.flush();
    await database.execute("ALTER TABLE away RENAME TO outages");
    const now = () => Date.now() + clock.ahead;
    await deriveAlerts(database, { lag: createLagWatch(now), listening: presence.listening(), now: now() });
    expect(await openAlerts(database, null, id)).toEqual([]);
  });

  it("headquarters begin to listen again each time that the connection to NATS is back [HQ-220]", async () => {
    const { database, nats, folder } = headquarters;
    const line = await startCuttableLine(nats.publicUrl);
    onTestFinished(() => line.cut());
    const seed = await readOwnKey(path.join(folder, "nats", "headquarters.nk"));
    const clock = createClock();
    const world = { now: clock.now, log: pino({ enabled: false }) };
    const connection = await connectNats({ url: line.url, seed, caFile: null }, world);
    onTestFinished(() => connection.close());
    const presence = createPresence({ database, connection }, world);
    presence.start();
    onTestFinished(() => presence.stop());
    clock.advance(3_600_000);
    await line.cut();
    const lost = clock.now();
    await vi.waitFor(() => expect(presence.listening()).toEqual({ isOn: false, since: lost }));
    clock.advance(3_600_000);
    await line.mend();
    await vi.waitFor(() => expect(presence.listening()).toEqual({ isOn: true, since: clock.now() }), 10_000);
  });
});

import { MINUTE_MS, HOUR_MS } from "@comanda/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../db/database.ts";
import { openDatabase } from "../db/open.ts";
import type { Listening } from "../presence/presence-of.ts";
import { beatOf, fillChain, type FilledRestaurant } from "../test/fill-chain.ts";
import { createClock } from "../test/clock.ts";
import { testFolder } from "../test/test-folder.ts";
import { deriveAlerts } from "./alert-loop.ts";
import { clearedAlerts, openAlerts } from "./alert-store.ts";
import { coverageOf } from "./coverage.ts";
import { createLagWatch } from "./lag-watch.ts";
import { readRestaurants } from "./restaurants.ts";

describe("alerts", () => {
  const clock = createClock();
  let database: Database;
  let restaurants: FilledRestaurant[];
  let lag: ReturnType<typeof createLagWatch>;

  beforeAll(async () => {
    database = await openDatabase({ url: null, dataDir: await testFolder() });
    restaurants = await fillChain(database, { restaurants: 50, days: 0, now: clock.now() });
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    lag = createLagWatch(clock.now);
    await database.query("DELETE FROM alerts");
    await database.query("DELETE FROM digests");
    await database.query("DELETE FROM holes");
    await database.query("UPDATE cursors SET seq = 1000");
    await hear(restaurants.map(({ id }) => id));
  });

  async function hear(ids: readonly string[], word: object = {}): Promise<void> {
    await database.query("UPDATE beats SET heard_at = $2, body = $3::jsonb WHERE restaurant_id = ANY($1)", [
      ids,
      new Date(clock.now()),
      JSON.stringify(beatOf(clock.now(), word)),
    ]);
  }
  /** Advances the clock, sends a beat of all restaurants except `silent`, and derives the alerts. */
  async function later(ms: number, silent: readonly string[] = []): Promise<boolean> {
    clock.advance(ms);
    await hear(restaurants.map(({ id }) => id).filter((id) => !silent.includes(id)));
    return derive();
  }
  const always: Listening = { isOn: true, since: -Infinity };
  let listening = always;
  const derive = () => deriveAlerts(database, { lag, listening, now: clock.now() });
  const open = async () =>
    (await openAlerts(database, null)).map(({ kind, severity, restaurantId, group, values }) => ({
      kind,
      severity,
      at: restaurantId ?? group,
      ...values,
    }));
  const idsIn = (group: string) => restaurants.filter((each) => each.group === group).map(({ id }) => id);

  it("a cause has one open alert, which changes while the cause lasts and is cleared when it is over [HQ-140]", async () => {
    const began = clock.now();
    await later(59_999, ["r0001"]);
    expect(await open()).toEqual([]);
    expect(await later(1, ["r0001"])).toBe(true);
    expect(await open()).toEqual([{ kind: "offline", severity: "warn", at: "r0001" }]);
    expect(await derive()).toBe(false);
    await later(14 * MINUTE_MS, ["r0001"]);
    const [page] = await openAlerts(database, null);
    expect(page).toMatchObject({ kind: "offline", severity: "page", since: new Date(began).toISOString() });
    expect(await later(1_000)).toBe(true);
    expect(await open()).toEqual([]);
    const [cleared] = (await clearedAlerts(database, null, began)).cleared;
    expect(cleared).toMatchObject({ id: page?.id, clearedAt: new Date(clock.now()).toISOString() });
    // The next outage is a new alert.
    await later(MINUTE_MS, ["r0001"]);
    const [next] = await openAlerts(database, null);
    expect(next?.id).not.toBe(page?.id);
  });

  it("a restaurant that was closed when it went silent, or was never heard from, has no offline alert [HQ-141]", async () => {
    await hear(["r0001"], { sessionOpen: false });
    await database.query("INSERT INTO restaurants (id, name, created_at) VALUES ('rnew', 'Nuevo', $1)", [
      new Date(clock.now()),
    ]);
    await later(HOUR_MS, ["r0001"]);
    expect(await open()).toEqual([]);
    await database.query("DELETE FROM restaurants WHERE id = 'rnew'");
  });

  it.each([
    ["unsent", "warn", { unsent: 7, unsentSince: 15 * MINUTE_MS + 1 }, { count: 7 }],
    [
      "fiscalLow",
      "warn",
      { fiscal: [{ type: "B02", remaining: 200, expiresOn: null }] },
      { type: "B02", remaining: 200 },
    ],
    ["fiscalUsedUp", "page", { fiscal: [{ type: "B01", remaining: 0, expiresOn: "2026-11-22" }] }, { type: "B01" }],
    [
      "fiscalExpiring",
      "warn",
      { fiscal: [{ type: "B01", remaining: 900, expiresOn: "2026-12-04" }] },
      { type: "B01", day: "2026-12-04" },
    ],
    // On the evening of its last day in Santo Domingo.
    [
      "fiscalExpiring",
      "warn",
      { fiscal: [{ type: "B01", remaining: 900, expiresOn: "2026-11-20" }] },
      { type: "B01", day: "2026-11-20" },
    ],
    [
      "fiscalExpiring",
      "page",
      { fiscal: [{ type: "B01", remaining: 900, expiresOn: "2026-11-19" }] },
      { type: "B01", day: "2026-11-19" },
    ],
    ["disk", "warn", { freeDiskBytes: 1_934_000_000 }, { megabytes: 1_900 }],
    ["disk", "page", { freeDiskBytes: 250_000_000 }, { megabytes: 200 }],
    ["backup", "warn", { lastBackupAt: 26 * HOUR_MS + 1 }, {}],
    ["losses", "warn", { lossesOpen: 2 }, { count: 2 }],
    ["kitchen", "warn", { kitchen: { open: 30, late: 11 } }, {}],
    ["clock", "warn", { clockOffMs: -3 * MINUTE_MS }, { minutes: -3 }],
  ])(
    "a restaurant's beat opens an alert of kind %s with severity %s [HQ-142]",
    async (kind, severity, word, values) => {
      // Ages (ms) become times.
      const times = Object.entries(word).map(([name, value]) =>
        (name === "unsentSince" || name === "lastBackupAt") && typeof value === "number"
          ? [name, new Date(clock.now() - value).toISOString()]
          : [name, value],
      );
      await hear(["r0002"], Object.fromEntries(times) as object);
      await derive();
      expect(await open()).toEqual([{ kind, severity, at: "r0002", ...values }]);
    },
  );

  it("the fiscal numbers of a type are judged by all sequences of the type [HQ-142]", async () => {
    const usedUp = { type: "B02", remaining: 0, expiresOn: "2026-12-31" };
    await hear(["r0002"], { fiscal: [usedUp, { type: "B02", remaining: 5_000, expiresOn: "2027-12-31" }] });
    await derive();
    expect(await open()).toEqual([]);
    await hear(["r0002"], { fiscal: [usedUp, usedUp, { type: "B02", remaining: 12, expiresOn: "2027-12-31" }] });
    await derive();
    expect(await open()).toEqual([{ kind: "fiscalLow", severity: "warn", at: "r0002", type: "B02", remaining: 12 }]);
    expect(await derive()).toBe(false);
  });

  it("values within their bounds open no alert [HQ-142]", async () => {
    await hear(["r0002"], {
      unsent: 7,
      unsentSince: new Date(clock.now() - 15 * MINUTE_MS).toISOString(),
      fiscal: [{ type: "B02", remaining: 201, expiresOn: "2026-12-08" }],
      freeDiskBytes: 2_000_000_000,
      lastBackupAt: new Date(clock.now() - 26 * HOUR_MS).toISOString(),
      kitchen: { open: 30, late: 10 },
      clockOffMs: 2 * MINUTE_MS,
    });
    await derive();
    expect(await open()).toEqual([]);
  });

  it("the time without sending or backup is measured by the hub's own clock, even if that is wrong [HQ-191]", async () => {
    const wrong = clock.now() - 730 * 24 * HOUR_MS;
    const before = (ms: number) => new Date(wrong - ms).toISOString();
    const word = { at: before(0), startedAt: before(HOUR_MS), lastBackupAt: before(HOUR_MS), unsent: 1 };
    await hear(["r0002"], { ...word, unsentSince: before(MINUTE_MS) });
    await derive();
    expect(await open()).toEqual([]);
    // The last beat of a hub that is switched off gives no cause.
    await hear(["r0002"], { ...word, unsentSince: before(MINUTE_MS), sessionOpen: false });
    await later(HOUR_MS, ["r0002"]);
    expect(await open()).toEqual([]);
    await hear(["r0002"], { ...word, unsentSince: before(20 * MINUTE_MS), lastBackupAt: before(27 * HOUR_MS) });
    await derive();
    const since = (await openAlerts(database, null)).map((alert) => [
      alert.kind,
      clock.now() - Date.parse(alert.since),
    ]);
    expect(Object.fromEntries(since)).toEqual({ unsent: 20 * MINUTE_MS, backup: 27 * HOUR_MS });
  });

  it("a restaurant whose hub was revoked has no open alerts [HQ-142]", async () => {
    await hear(["r0009"], { lossesOpen: 2 });
    await derive();
    expect(await open()).toMatchObject([{ kind: "losses", at: "r0009" }]);
    const [hub] = await database.query<{ hub_id: string }>("SELECT hub_id FROM restaurants WHERE id = 'r0009'");
    const setHub = (id: string | null) => database.query("UPDATE restaurants SET hub_id = $1 WHERE id = 'r0009'", [id]);
    await setHub(null);
    await derive();
    expect(await open()).toEqual([]);
    await later(120_000, ["r0009"]);
    expect(await open()).toEqual([]);
    await setHub(hub?.hub_id ?? "");
  });

  it("a differing day and a hole page, and a version that is more than two behind warns [HQ-143]", async () => {
    await database.query(
      `INSERT INTO digests (restaurant_id, day, at, body, is_equal, paid_here)
       VALUES ('r0003', '2026-11-19', now(), '{}', FALSE, 1), ('r0003', '2026-11-18', now(), '{}', TRUE, 1)`,
    );
    await database.query(
      `INSERT INTO holes (restaurant_id, epoch, from_seq, to_seq, cause, at)
       VALUES ('r0004', 'e', 1, 2, '{"kind": "unreadable_transfer"}', now())`,
    );
    await hear(["r0005"], { version: "1.3.0" });
    await hear(["r0006"], { version: "1.10.0" });
    await hear(["r0007"], { version: "1.9.0" });
    // Versions of revoked hubs do not count.
    const cut = ["r0011", "r0012"];
    await database.query("UPDATE restaurants SET hub_id = NULL WHERE id = ANY($1)", [cut]);
    await hear(["r0011"], { version: "1.11.0" });
    await hear(["r0012"], { version: "1.12.0" });
    await derive();
    await database.query("UPDATE restaurants SET hub_id = 'hub-' || id WHERE id = ANY($1)", [cut]);
    expect((await open()).toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: "digest", severity: "page", at: "r0003", day: "2026-11-19" },
      { kind: "hole", severity: "page", at: "r0004", count: 1 },
      { kind: "version", severity: "warn", at: "r0005", version: "1.3.0" },
    ]);
  });

  it("two hubs that claim a restaurant page until the second has been silent for an hour [HQ-208]", async () => {
    await database.query("UPDATE cursors SET rival_at = $1 WHERE restaurant_id = 'r0009'", [new Date(clock.now())]);
    await later(HOUR_MS - 1);
    expect(await open()).toEqual([{ kind: "twoHubs", severity: "page", at: "r0009" }]);
    await later(1);
    expect(await open()).toEqual([]);
    await database.query("UPDATE cursors SET rival_at = $1 WHERE restaurant_id = 'r0009'", [new Date(clock.now())]);
    await later(1_000);
    expect(await open()).toHaveLength(1);
    // After a new enrolment, the key of both hubs no longer works.
    await database.query("UPDATE restaurants SET enrolled_at = $1 WHERE id = 'r0009'", [new Date(clock.now())]);
    await later(1_000);
    expect(await open()).toEqual([]);
  });

  it("a restaurant whose checks are 30 s late gets a behind alert, one whose checks are in transit does not [HQ-144]", async () => {
    await hear(["r0008"], { seq: 1_010 });
    await derive();
    clock.advance(29_000);
    await hear(["r0008"], { seq: 1_500 });
    await derive();
    expect(await open()).toEqual([]);
    // The cursor keeps reaching what the restaurant reported half a minute before: it is up to date.
    await database.query("UPDATE cursors SET seq = 1490 WHERE restaurant_id = 'r0008'");
    await derive();
    clock.advance(29_000);
    await hear(["r0008"], { seq: 1_600 });
    await derive();
    expect(await open()).toEqual([]);
    clock.advance(2_000);
    await hear(restaurants.map(({ id }) => id).filter((id) => id !== "r0008"));
    await derive();
    expect(await open()).toEqual([{ kind: "behind", severity: "warn", at: "r0008" }]);
  });

  it("reports of a replaced hub make no restaurant count as behind [HQ-190]", async () => {
    await hear(["r0008"], { seq: 9_000 });
    await derive();
    clock.advance(20_000);
    // A new PC starts counting from the beginning.
    await database.query("UPDATE cursors SET seq = 50, epoch = 'new' WHERE restaurant_id = 'r0008'");
    await hear(["r0008"], { seq: 50 });
    await derive();
    await later(40_000, ["r0008"]);
    expect(await open()).toEqual([]);
    // A new hub has not sent a beat yet (HQ-61), and then continues from a backup.
    await hear(["r0008"], { seq: 9_000 });
    await derive();
    await database.query("DELETE FROM beats WHERE restaurant_id = 'r0008'");
    await later(60_000);
    await database.query("INSERT INTO beats SELECT 'r0008', heard_at, body FROM beats WHERE restaurant_id = 'r0009'");
    await hear(["r0008"], { seq: 9_500 });
    await derive();
    expect(await open()).toEqual([]);
  });

  it("a restaurant with a new hub is incomplete until that hub's own checks have arrived [HQ-204]", async () => {
    const behind = async () =>
      coverageOf(await readRestaurants(database, null, "r0008"), lag, clock.now()).behind.map(({ id }) => id);
    await database.query("UPDATE restaurants SET hub_id = 'new' WHERE id = 'r0008'");
    await hear(["r0008"], { seq: 50 });
    await derive();
    expect(await behind()).toEqual(["r0008"]);
    await later(31_000, ["r0008"]);
    expect(await open()).toEqual([{ kind: "behind", severity: "warn", at: "r0008" }]);
    await database.query("UPDATE cursors SET seq = 50, hub_id = 'new' WHERE restaurant_id = 'r0008'");
    await hear(["r0008"], { seq: 50 });
    await derive();
    expect([await behind(), await open()]).toEqual([[], []]);
    await database.query("UPDATE cursors SET hub_id = 'hub-r0008' WHERE restaurant_id = 'r0008'");
    await database.query("UPDATE restaurants SET hub_id = 'hub-r0008' WHERE id = 'r0008'");
  });

  it("trouble at more than a fifth of a group within five minutes is one alert until half have recovered [HQ-145]", async () => {
    // 20 restaurants are in Santo Domingo: 5 are more than a fifth.
    const group = idsIn("Santo Domingo");
    const four = group.slice(0, 4);
    await later(2 * MINUTE_MS, four);
    expect(await open()).toHaveLength(4);
    const five = group.slice(0, 5);
    const elsewhere = idsIn("Sur").slice(0, 1);
    await later(2 * MINUTE_MS, [...five, ...elsewhere]);
    expect(await open()).toEqual([
      { kind: "offline", severity: "warn", at: elsewhere[0] },
      { kind: "offlineInGroup", severity: "warn", at: "Santo Domingo", count: 5, of: 20 },
    ]);
    await later(1_000, five.slice(0, 3));
    expect(await open()).toEqual([{ kind: "offlineInGroup", severity: "warn", at: "Santo Domingo", count: 3, of: 20 }]);
    await later(1_000, five.slice(0, 2));
    expect(await open()).toHaveLength(2);
    // More than five minutes apart, they stay five separate alerts.
    await later(1_000);
    for (let count = 1; count <= 5; count += 1) await later(6 * MINUTE_MS, group.slice(0, count));
    expect(await open()).toHaveLength(5);
  });

  it("no restaurant newly counts as offline until headquarters have listened for 70 s [HQ-147]", async () => {
    await later(MINUTE_MS, ["r0001"]);
    const [before] = await openAlerts(database, null);
    // Headquarters were down for an hour and received no beats.
    clock.advance(HOUR_MS);
    listening = { isOn: true, since: clock.now() };
    await derive();
    clock.advance(MINUTE_MS);
    expect(await derive()).toBe(false);
    expect(await open()).toEqual([{ kind: "offline", severity: "warn", at: "r0001" }]);
    await later(10_000, ["r0001", "r0002"]);
    expect(new Set((await open()).map(({ at }) => at))).toEqual(new Set(["r0001", "r0002"]));
    expect((await openAlerts(database, null)).map(({ id }) => id)).toContain(before?.id);
    listening = always;
  });

  it("behind alerts stay as they are until headquarters have listened long enough again [HQ-147]", async () => {
    const silent = restaurants.map(({ id }) => id).slice(0, 26);
    const behind = async (ms: number) => {
      clock.advance(ms);
      await hear(restaurants.map(({ id }) => id));
      await hear(silent, { seq: 1_010 });
      return derive();
    };
    await behind(0);
    await behind(31_000);
    const before = await openAlerts(database, null);
    expect(before).toMatchObject([{ kind: "behindEverywhere", severity: "page" }]);
    // After a restart, headquarters no longer know what restaurants reported.
    lag = createLagWatch(clock.now);
    listening = { isOn: true, since: clock.now() };
    for (const ms of [0, 3_000, 31_000, 35_999, 1]) expect(await behind(ms)).toBe(false);
    expect(await openAlerts(database, null)).toEqual(before);
    await database.query("UPDATE cursors SET seq = 1010");
    await behind(3_000);
    expect(await open()).toEqual([]);
    listening = always;
  });

  it("a lost connection to NATS pages after a minute, and no further restaurant counts as offline meanwhile [HQ-220]", async () => {
    await later(MINUTE_MS, ["r0001"]);
    listening = { isOn: false, since: clock.now() };
    clock.advance(MINUTE_MS - 1);
    expect(await derive()).toBe(false);
    clock.advance(1);
    await derive();
    expect(await open()).toEqual([
      { kind: "deaf", severity: "page", at: null },
      { kind: "offline", severity: "warn", at: "r0001" },
    ]);
    clock.advance(HOUR_MS);
    expect(await derive()).toBe(false);
    listening = { isOn: true, since: clock.now() };
    await derive();
    expect(await open()).toEqual([{ kind: "offline", severity: "warn", at: "r0001" }]);
    await later(70_000);
    expect(await open()).toEqual([]);
    listening = always;
  });

  it("time in which headquarters were unavailable pages no one [HQ-203]", async () => {
    await database.query("INSERT INTO outages (restaurant_id, began_at) VALUES ('r0001', $1)", [new Date(clock.now())]);
    clock.advance(HOUR_MS);
    listening = { isOn: true, since: clock.now() };
    await later(70_000, ["r0001", "r0002"]);
    const ages = (await openAlerts(database, null)).map(({ restaurantId, severity, since }) => [
      restaurantId,
      severity,
      clock.now() - Date.parse(since),
    ]);
    expect(ages).toEqual([
      ["r0001", "page", HOUR_MS + 70_000],
      ["r0002", "warn", 70_000],
    ]);
    await database.query("DELETE FROM outages");
    await later(15 * MINUTE_MS, ["r0002"]);
    expect(await open()).toEqual([{ kind: "offline", severity: "page", at: "r0002" }]);
    listening = always;
  });

  it("trouble at more than half of all restaurants is one paging alert [HQ-146]", async () => {
    const half = restaurants.slice(0, 26).map(({ id }) => id);
    await later(MINUTE_MS, half);
    expect(await open()).toEqual([{ kind: "offlineEverywhere", severity: "page", at: null, count: 26, of: 50 }]);
    await later(1_000);
    expect(await open()).toEqual([]);
  });

  it("the share of restaurants in trouble counts those online or missed, not those closed and switched off [HQ-230]", async () => {
    const santoDomingo = idsIn("Santo Domingo");
    const santiago = idsIn("Santiago");
    const closed = santiago.slice(6);
    const off = [...santoDomingo.slice(0, 12), ...idsIn("Norte"), ...idsIn("Este").slice(0, 6)];
    await hear([...off, ...closed], { sessionOpen: false });
    await later(HOUR_MS, [...off, ...closed]);
    const silent = [...santoDomingo.slice(12), ...santiago.slice(0, 3)];
    const speak = async (ms: number, quiet: readonly string[]) => {
      clock.advance(ms);
      await hear(closed, { sessionOpen: false });
      await later(0, [...off, ...closed, ...quiet]);
    };
    await speak(MINUTE_MS, silent);
    expect(await open()).toEqual([
      { kind: "offlineInGroup", severity: "warn", at: "Santiago", count: 3, of: 10 },
      { kind: "offlineInGroup", severity: "warn", at: "Santo Domingo", count: 8, of: 8 },
    ]);
    const more = [...silent, ...santiago.slice(3, 5)];
    await speak(MINUTE_MS - 1, more);
    await speak(1, more);
    expect(await open()).toEqual([{ kind: "offlineEverywhere", severity: "page", at: null, count: 13, of: 24 }]);
  });
});

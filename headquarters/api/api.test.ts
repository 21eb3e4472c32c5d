import { HOUR_MS, DAY_MS } from "@comanda/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { beatOf, fillChain, type FilledRestaurant } from "../test/fill-chain.ts";
import { signInAs, signInOwner, startTestApi, type TestApi } from "../test/start-test-api.ts";

describe("the API of headquarters", () => {
  let api: TestApi;
  let owner: Awaited<ReturnType<typeof signInOwner>>;
  let region: Awaited<ReturnType<typeof signInAs>>;
  let restaurants: FilledRestaurant[];
  let filledAt: Date;
  beforeAll(async () => {
    api = await startTestApi();
    filledAt = new Date(api.clock.now());
    restaurants = await fillChain(api.database, { restaurants: 20, days: 3, now: api.clock.now() });
    owner = await signInOwner(api);
    region = await signInAs(api, owner, { login: "sur", role: "region", groups: ["Sur"] });
  });
  afterAll(() => api.stop());

  // Each test begins with twenty healthy restaurants.
  beforeEach(async () => {
    await api.database.query("UPDATE cursors SET seq = 1000, copy_of = $1", [filledAt]);
    await writeBeats();
    await api.deriveAlerts();
  });

  /** Adds a restaurant without a hub, which is closed after the test. */
  async function addRestaurant(name: string): Promise<void> {
    const { id } = (await owner.post("/restaurants", { name })).body;
    onTestFinished(
      async () => void (await api.database.query("UPDATE restaurants SET is_closed = TRUE WHERE id = $1", [id])),
    );
  }

  /** Writes a beat of every restaurant. `overrides` replaces fields of some beats; null for restaurants that stay silent. */
  async function writeBeats(overrides: Readonly<Record<string, object | null>> = {}): Promise<void> {
    const now = api.clock.now();
    for (const { id } of restaurants) {
      const fields = overrides[id];
      if (fields === null) continue;
      await api.database.query("UPDATE beats SET heard_at = $2, body = $3::jsonb WHERE restaurant_id = $1", [
        id,
        new Date(now),
        JSON.stringify(beatOf(now, fields ?? {})),
      ]);
    }
  }
  const now = async (browser = owner) => (await browser.get("/now")).body;
  const rowOf = (answer: { restaurants: { id: string }[] }, id: string) =>
    answer.restaurants.find((each) => each.id === id);
  const idsIn = (group: string) => restaurants.filter((each) => each.group === group).map(({ id }) => id);

  it("each restaurant shows its last beat, late after 30 s and offline after 60 s, and totals add them up [HQ-120]", async () => {
    api.clock.advance(29_000);
    await writeBeats({ r0001: null, r0002: null });
    expect(rowOf(await now(), "r0001")).toMatchObject({ presence: "online", name: "Naco 1", beat: { paidChecks: 80 } });
    api.clock.advance(1_000);
    expect(rowOf(await now(), "r0001")).toMatchObject({ presence: "late" });
    api.clock.advance(29_999);
    expect(rowOf(await now(), "r0001")).toMatchObject({ presence: "late" });
    await writeBeats({ r0001: null });
    api.clock.advance(1);
    const answer = await now();
    expect(rowOf(answer, "r0001")).toMatchObject({
      presence: "offline",
      lastSeenAt: new Date(api.clock.now() - 60_000).toISOString(),
    });
    expect(rowOf(answer, "r0002")).toMatchObject({ presence: "online" });
    expect(answer.totals).toEqual({ openChecks: 240, openTotal: 369_000, paidChecks: 1_600, paidTotal: 1_924_810 });
  });

  it("a restaurant whose hub was cut is not offline and counts in no total, whatever its last beat was [HQ-259]", async () => {
    const before = await now();
    const enrol = (hubId: string | null) =>
      api.database.query("UPDATE restaurants SET hub_id = $1 WHERE id = 'r0001'", [hubId]);
    const { hubId } = (await owner.get("/restaurants/r0001")).body;
    await enrol(null);
    onTestFinished(async () => void (await enrol(hubId)));
    api.clock.advance(61_000);
    await writeBeats({ r0001: null });
    const answer = await now();
    expect(rowOf(answer, "r0001")).toMatchObject({ presence: "never", beat: { sessionOpen: true } });
    expect(answer.restaurants.at(-1)).toMatchObject({ id: "r0001" });
    const { openChecks, paidChecks } = before.totals;
    expect(answer.totals).toMatchObject({ openChecks: openChecks - 12, paidChecks: paidChecks - 80 });
  });

  it("restaurants are sorted by trouble, then by name [HQ-121]", async () => {
    api.clock.advance(35_000);
    await writeBeats({ r0001: null, r0002: null });
    api.clock.advance(30_000);
    await writeBeats({ r0002: null, r0001: null, r0003: { lossesOpen: 1 }, r0004: { sessionOpen: false } });
    await api.database.query("UPDATE beats SET heard_at = $1 WHERE restaurant_id = 'r0001'", [
      new Date(api.clock.now() - 40_000),
    ]);
    await speakAs("r0005", { fiscal: [{ type: "B02", remaining: 0, expiresOn: null }] });
    await api.deriveAlerts();
    const { restaurants: rows } = await now();
    const ids = rows.map(({ id }: { id: string }) => id);
    expect(ids.slice(0, 4)).toEqual(["r0005", "r0002", "r0003", "r0001"]);
    expect(ids.at(-1)).toBe("r0004");
    const names = rows.slice(4, -1).map(({ name }: { name: string }) => name);
    expect(names).toEqual(names.toSorted((a: string, b: string) => a.localeCompare(b, "es")));
    expect(rows[0].alerts).toEqual([{ kind: "fiscalUsedUp", severity: "page" }]);
  });

  async function speakAs(id: string, fields: object): Promise<void> {
    await api.database.query("UPDATE beats SET heard_at = $2, body = $3::jsonb WHERE restaurant_id = $1", [
      id,
      new Date(api.clock.now()),
      JSON.stringify(beatOf(api.clock.now(), fields)),
    ]);
  }

  it("answers with sums name the restaurants that are offline while open, behind by 10 s or never heard from [HQ-122]", async () => {
    expect((await now()).coverage).toEqual({
      asOf: new Date(api.clock.now()).toISOString(),
      restaurants: 20,
      current: 20,
      behind: [],
      holes: [],
    });
    // r0001 falls silent while it is open, r0002 after it closed. r0003 has more than has arrived here.
    await writeBeats({ r0002: { sessionOpen: false }, r0003: { seq: 1_004 } });
    await api.deriveAlerts();
    api.clock.advance(10_000);
    await writeBeats({ r0001: null, r0002: null, r0003: { seq: 1_006 } });
    expect((await now()).coverage.behind).toEqual([]);
    api.clock.advance(60_000);
    await writeBeats({ r0001: null, r0002: null, r0003: { seq: 1_020 } });
    await addRestaurant("Nuevo");
    const behind = (await now()).coverage.behind.map(({ name }: { name: string }) => name);
    expect(behind.toSorted()).toEqual(["Gazcue 3", "Naco 1", "Nuevo"]);
    await api.database.query("UPDATE cursors SET seq = 1020 WHERE restaurant_id = 'r0003'");
    await writeBeats({ r0001: null, r0002: null, r0003: { seq: 1_020 } });
    api.clock.advance(1_000);
    expect((await now()).coverage).toMatchObject({ restaurants: 21, current: 19 });
  });

  it("sales add up by hour, day, dish and restaurant to the same total, to the cent [HQ-123]", async () => {
    const days = { from: "2026-11-18", to: "2026-11-19" };
    const { body } = await owner.get(`/sales?from=${days.from}&to=${days.to}`);
    const [rows] = await api.database.query<{ paid: number; checks: number; guests: number }>(
      `SELECT sum(paid_cents)::bigint AS paid, sum(checks)::bigint AS checks, sum(guests)::bigint AS guests
       FROM sales_hours WHERE day BETWEEN $1 AND $2`,
      [days.from, days.to],
    );
    const [dishes] = await api.database.query<{ amount: number }>(
      "SELECT sum(amount_cents)::bigint AS amount FROM sales_products WHERE day BETWEEN $1 AND $2",
      [days.from, days.to],
    );
    expect(body.totals).toMatchObject({
      paid: (rows?.paid ?? 0) / 100,
      checks: rows?.checks,
      guests: rows?.guests,
    });
    const cents = (list: { paid: number }[]) => list.reduce((sum, { paid }) => sum + Math.round(paid * 100), 0);
    for (const part of ["hours", "days", "restaurants"]) expect(cents(body[part])).toBe(rows?.paid);
    expect(body.hours.map(({ hour }: { hour: number }) => hour)).toEqual(Array.from({ length: 12 }, (_, n) => 11 + n));
    expect([body.hours.length, body.days.length, body.restaurants.length, body.products.length]).toEqual([
      12, 2, 20, 60,
    ]);
    const amounts = body.products.map(({ amount }: { amount: number }) => amount);
    expect(Math.round(amounts.reduce((sum: number, each: number) => sum + each, 0) * 100)).toBe(dishes?.amount);
    expect(amounts).toEqual(amounts.toSorted((a: number, b: number) => b - a));

    const group = (await owner.get(`/sales?from=${days.from}&to=${days.to}&group=Sur`)).body;
    expect(group.restaurants.map(({ id }: { id: string }) => id).toSorted()).toEqual(idsIn("Sur"));
    const one = (await owner.get(`/sales?from=${days.from}&to=${days.from}&restaurant=r0007`)).body;
    expect(one.restaurants.map(({ id }: { id: string }) => id)).toEqual(["r0007"]);
    expect(one.coverage.restaurants).toBe(1);
  });

  it("the list of dishes has the 500 with the highest sales and the total of all others [HQ-211]", async () => {
    await api.database.query(
      `INSERT INTO sales_products (restaurant_id, day, product_id, name, quantity_e4, amount_cents)
       SELECT 'r0001', '2026-10-01', 'x' || n, 'Plato ' || n, 10000, 100 * n FROM generate_series(1, 520) AS n`,
    );
    const { products, otherProducts } = (await owner.get("/sales?from=2026-10-01&to=2026-10-01")).body;
    expect(products).toHaveLength(500);
    expect(products.at(-1)).toMatchObject({ productId: "x21", amount: 21 });
    // The sum of 1 to 20.
    expect(otherProducts).toEqual({ count: 20, amount: 210 });
    const all = (await owner.get("/sales?from=2026-11-18&to=2026-11-19")).body;
    expect(all.otherProducts).toEqual({ count: 0, amount: 0 });
  });

  it("sales name each restaurant with a hole on those days, and what is missing [HQ-212]", async () => {
    await api.database.query(
      `INSERT INTO holes (restaurant_id, epoch, from_seq, to_seq, cause, copy_of, at)
       VALUES ('r0004', 'epoch', 1, 9, '{"kind": "not_sent", "from": "2026-11-10", "to": "2026-11-12"}', NULL, $1),
         ('r0020', 'epoch', 4, 9, '{"kind": "unreadable", "error": "bad"}', '2026-11-16T03:00:00Z', $2)`,
      [new Date("2026-11-20T23:00:00Z"), new Date("2026-11-16T04:00:00Z")],
    );
    const holesOn = async (from: string, to: string, browser = owner, more = "") =>
      (await browser.get(`/sales?from=${from}&to=${to}${more}`)).body.coverage.holes.map(
        ({ id }: { id: string }) => id,
      );
    expect(await holesOn("2026-11-13", "2026-11-14")).toEqual([]);
    expect(await holesOn("2026-11-12", "2026-11-12")).toEqual(["r0004"]);
    expect(await holesOn("2026-11-01", "2026-11-20")).toEqual(["r0004", "r0020"]);
    // The evening before in the restaurant's time zone.
    expect(await holesOn("2026-11-15", "2026-11-15")).toEqual(["r0020"]);
    expect(await holesOn("2026-11-18", "2026-11-20")).toEqual([]);
    expect(await holesOn("2026-11-01", "2026-11-20", region)).toEqual(["r0020"]);
    expect(await holesOn("2026-11-01", "2026-11-20", owner, "&restaurant=r0004")).toEqual(["r0004"]);
    const { coverage } = (await owner.get("/sales?from=2026-11-12&to=2026-11-12")).body;
    const cause = { kind: "not_sent", from: "2026-11-10", to: "2026-11-12" };
    expect(coverage.holes).toEqual([{ id: "r0004", name: restaurants[3]?.name, cause }]);
    await api.database.query("DELETE FROM holes");
  });

  it("a past day counts as complete where the copy is later, and days in the wrong order are refused [HQ-124]", async () => {
    await addRestaurant("Nuevo");
    api.clock.advance(70_000);
    await api.database.query("UPDATE cursors SET copy_of = $1", [new Date("2026-11-21T00:00:00Z")]);
    await api.database.query("UPDATE cursors SET copy_of = $1 WHERE restaurant_id = 'r0002'", [
      new Date("2026-11-18T20:00:00Z"),
    ]);
    const behindOn = async (day: string) =>
      (await owner.get(`/sales?from=${day}&to=${day}`)).body.coverage.behind.length;
    expect(await behindOn("2026-11-20")).toBe(21);
    // Still missing: the restaurant without any beat, and the one whose copy is of that evening.
    expect(await behindOn("2026-11-18")).toBe(2);
    const wrong = await owner.get("/sales?from=2026-11-20&to=2026-11-19");
    expect(wrong).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
  });

  it("a region sees only what belongs to its groups, in every answer [HQ-125]", async () => {
    await writeBeats({ r0001: { lossesOpen: 1 }, r0020: { lossesOpen: 2 } });
    await api.deriveAlerts();
    const own = idsIn("Sur");
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();
    const answer = await now(region);
    expect(ids(answer.restaurants)).toEqual(own);
    expect(answer.coverage.restaurants).toBe(own.length);
    expect(ids((await region.get("/sales?from=2026-11-18&to=2026-11-19")).body.restaurants)).toEqual(own);
    const other = await region.get("/sales?from=2026-11-18&to=2026-11-19&group=Este");
    expect(other.body).toMatchObject({ totals: { checks: 0, paid: 0 }, restaurants: [], coverage: { restaurants: 0 } });
    expect((await region.get("/groups")).body).toEqual({ groups: [{ name: "Sur", restaurants: own.length }] });
    const { open } = (await region.get("/alerts")).body;
    expect(open.map(({ restaurantId }: { restaurantId: string }) => restaurantId)).toEqual(["r0020"]);
    expect(await region.get("/restaurants/r0001")).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    expect((await region.get("/restaurants/r0020")).status).toBe(200);
    const all = (await owner.get("/alerts")).body.open;
    const foreign = all.find((each: { restaurantId: string }) => each.restaurantId === "r0001");
    expect((await region.post(`/alerts/${foreign.id}/take`, { isTaken: true })).status).toBe(404);
  });

  it("a region sees an alert of the whole chain without the number of restaurants [HQ-125]", async () => {
    api.clock.advance(61_000);
    await writeBeats(Object.fromEntries(restaurants.slice(0, 12).map(({ id }) => [id, null])));
    await api.deriveAlerts();
    const alertsOf = async (browser: typeof owner) => (await browser.get("/alerts")).body;
    const { id, ...alert } = (await alertsOf(owner)).open[0];
    expect(alert).toMatchObject({ kind: "offlineEverywhere", values: { count: 12, of: 20 } });
    expect((await alertsOf(region)).open).toEqual([{ id, ...alert, values: {} }]);
    const taken = await region.post(`/alerts/${id}/take`, { isTaken: false });
    expect(taken.body).toMatchObject({ id, values: {} });
    await writeBeats();
    await api.deriveAlerts();
    expect((await alertsOf(region)).cleared[0]).toMatchObject({ id, values: {} });
  });

  it("an alert names the person who takes care of it, and cleared alerts are listed for a week [HQ-126]", async () => {
    await writeBeats({ r0001: { lossesOpen: 1 } });
    await api.deriveAlerts();
    const [alert] = (await owner.get("/alerts")).body.open;
    expect(alert).toMatchObject({ kind: "losses", severity: "warn", restaurantName: "Naco 1", takenBy: null });
    const taken = await owner.post(`/alerts/${alert.id}/take`, { isTaken: true });
    expect(taken).toMatchObject({ status: 200, body: { id: alert.id, takenBy: "Rosa Peña" } });
    expect((await owner.post(`/alerts/${alert.id}/take`, { isTaken: false })).body.takenBy).toBeNull();
    await owner.post(`/alerts/${alert.id}/take`, { isTaken: true });
    await writeBeats();
    await api.deriveAlerts();
    const over = (await owner.get("/alerts")).body;
    expect(over.open).toEqual([]);
    expect(over.cleared[0]).toMatchObject({ id: alert.id, takenBy: "Rosa Peña" });
    expect((await owner.post(`/alerts/${alert.id}/take`, { isTaken: true })).status).toBe(404);
    expect((await owner.post("/alerts/x/take", { isTaken: true })).status).toBe(404);
  });

  it("a restaurant's contact is shown on its page and on its alerts, also to a region [HQ-585]", async () => {
    const contact = "Yadira Peña, (809) 555-0142";
    expect((await owner.get("/restaurants/r0020")).body.contact).toBe("");
    expect((await region.patch("/restaurants/r0020", { contact })).status).toBe(403);
    expect((await owner.patch("/restaurants/r0020", { contact })).status).toBe(200);
    await speakAs("r0020", { lossesOpen: 1 });
    await api.deriveAlerts();
    const { body } = await region.get("/restaurants/r0020");
    expect(body).toMatchObject({ contact, openAlerts: [{ kind: "losses", contact }] });
    expect((await region.get("/alerts")).body.open).toMatchObject([{ restaurantId: "r0020", contact }]);
  });

  it("the newest 200 cleared alerts are listed with the number of further ones [HQ-224]", async () => {
    const before = (await owner.get("/alerts")).body.cleared.length;
    await api.database.query(
      `INSERT INTO alerts (key, kind, severity, since, cleared_at)
       SELECT 'past ' || n, 'disk', 'warn', $1, $1::timestamptz - make_interval(mins => n) FROM generate_series(1, 205) AS n`,
      [new Date(api.clock.now())],
    );
    const { cleared, moreCleared } = (await owner.get("/alerts")).body;
    expect([cleared.length, moreCleared]).toEqual([200, before + 5]);
    await api.database.query("DELETE FROM alerts WHERE key LIKE 'past %'");
  });

  it("a restaurant's page has its checks, outages, holes and days without those of a lost history [HQ-127]", async () => {
    onTestFinished(async () => {
      for (const table of ["checks", "outages", "holes", "digests"]) {
        await api.database.query(`DELETE FROM ${table} WHERE restaurant_id = 'r0006'`);
      }
    });
    const at = new Date("2026-11-20T23:00:00Z");
    const check = `INSERT INTO checks (restaurant_id, pos_reference, hub_id, seq, version, opened_at, updated_at,
      total_cents, staff_name, is_removed, removal, is_gone) VALUES ('r0006', $1, 'h', 1, 1, $2, $3, $4, 'Ana', $5, $6::jsonb, $7)`;
    const rows: unknown[][] = [
      ["A-1", at, new Date(at.getTime() + 1), 118_050, false, null, false],
      ["A-2", at, new Date(at.getTime() + 2), 5_000, false, null, false],
      ["A-3", at, at, 900, true, JSON.stringify({ reason: "error", by: "Luis" }), false],
      ["A-4", at, at, 700, false, null, true],
    ];
    for (const row of rows) await api.database.query(check, row);
    await api.database.query("INSERT INTO outages (restaurant_id, began_at, ended_at) VALUES ('r0006', $1, $2)", [
      at,
      new Date(at.getTime() + 60_000),
    ]);
    await api.database.query(
      "INSERT INTO holes (restaurant_id, epoch, from_seq, to_seq, cause, at) VALUES ('r0006', 'epoch', 4, 9, $2, $1)",
      [at, JSON.stringify({ kind: "unreadable", error: "bad" })],
    );
    await api.database.query(
      `INSERT INTO digests (restaurant_id, day, at, body, is_equal, paid_here)
       VALUES ('r0006', '2026-11-19', $1, '{"paid": 90}', FALSE, 89)`,
      [at],
    );
    const { body } = await owner.get("/restaurants/r0006");
    expect(body).toMatchObject({
      id: "r0006",
      hubId: "hub-r0006",
      copyOf: filledAt.toISOString(),
      outages: [{ from: at.toISOString(), until: new Date(at.getTime() + 60_000).toISOString() }],
      holes: [{ from: 4, to: 9, cause: { kind: "unreadable", error: "bad" }, at: at.toISOString() }],
      digests: [{ day: "2026-11-19", isEqual: false, paid: 90, paidHere: 89 }],
    });
    expect(body.checks.map(({ posReference }: { posReference: string }) => posReference)).toEqual([
      "A-2",
      "A-1",
      "A-3",
    ]);
    expect(body.checks[1]).toMatchObject({ total: 1_180.5, staffName: "Ana", removed: null });
    expect(body.checks[2].removed).toEqual({ reason: "error", by: "Luis" });
  });

  it("owners and operations add, name and close restaurants and create codes; region and support do not [HQ-128]", async () => {
    const expiresAt = new Date(api.clock.now() + DAY_MS).toISOString();
    const support = await signInAs(api, owner, { login: "soporte", role: "support", expiresAt });
    const added = await owner.post("/restaurants", { name: "Cabarete", groups: ["Norte"] });
    expect(added).toMatchObject({ status: 201 });
    const { id } = added.body;
    expect(id).toMatch(/^[a-z0-9]{10}$/);
    const code = await owner.post(`/restaurants/${id}/enrolment-code`, {});
    expect(code).toMatchObject({ status: 201, body: { restaurantId: id, code: "ABCD2345" } });
    expect(api.codes).toEqual([`${id} rosa`]);
    for (const browser of [region, support]) {
      expect((await browser.post("/restaurants", { name: "X" })).status).toBe(403);
      expect((await browser.patch(`/restaurants/${id}`, { name: "X" })).status).toBe(403);
      expect((await browser.post(`/restaurants/${id}/enrolment-code`, {})).status).toBe(403);
    }
    expect((await support.post("/alerts/1/take", { isTaken: true })).status).toBe(403);
    expect((await support.get("/now")).status).toBe(200);
    await owner.patch(`/restaurants/${id}`, { name: "Sosúa", groups: ["Norte", "Playa"] });
    api.clock.advance(1_000);
    expect(rowOf(await now(), id)).toMatchObject({ name: "Sosúa", groups: ["Norte", "Playa"], presence: "never" });
    await owner.patch(`/restaurants/${id}`, { isClosed: true });
    api.clock.advance(1_000);
    expect(rowOf(await now(), id)).toBeUndefined();
    expect(api.codes).toEqual([`${id} rosa`, `revoked ${id} rosa`]);
    expect((await owner.patch("/restaurants/nowhere", { name: "X" })).status).toBe(404);
    const acts = (await owner.get("/audit")).body.entries.filter(
      (each: { restaurantId: string }) => each.restaurantId === id,
    );
    expect(acts.map(({ action }: { action: string }) => action)).toEqual([
      "restaurant.changed",
      "restaurant.changed",
      "restaurant.enrolmentCode",
      "restaurant.added",
    ]);
  });

  it("the event stream is refused while the database cannot be read, also beside one that is open [HQ-129]", async () => {
    const open = await fetch(`${api.origin}/hq/v1/events`, { headers: { Cookie: owner.cookie() } });
    onTestFinished(() => open.body?.cancel().catch(() => undefined));
    await api.database.query("ALTER TABLE proposal_states RENAME TO away");
    const { status, body } = await owner.get("/events");
    await api.database.query("ALTER TABLE away RENAME TO proposal_states");
    expect([status, body.errorCode]).toEqual([503, "DATABASE_UNAVAILABLE"]);
  });

  it("each route answers DATABASE_UNAVAILABLE while the database cannot be read [HQ-606]", async () => {
    await api.database.query("ALTER TABLE sessions RENAME TO away");
    const read = await owner.get("/now");
    const written = await owner.post("/people", { login: "nadie", name: "Nadie", role: "region", password: "x" });
    await api.database.query("ALTER TABLE away RENAME TO sessions");
    for (const { status, body } of [read, written]) {
      expect([status, body.errorCode]).toEqual([503, "DATABASE_UNAVAILABLE"]);
    }
    expect((await owner.get("/now")).status).toBe(200);
  });

  it("events name what to read again when a restaurant sends a beat and when it goes silent [HQ-129]", async () => {
    const response = await fetch(`${api.origin}/hq/v1/events`, { headers: { Cookie: owner.cookie() } });
    expect(response.headers.get("Content-Type")).toBe("text/event-stream");
    const events = readEvents(response);
    expect(await events.next()).toEqual({ changed: [] });
    api.clock.advance(1_000);
    await writeBeats();
    expect((await events.next()).changed).toEqual(["now"]);
    api.clock.advance(30_000);
    expect((await events.next()).changed).toEqual(["now"]);
    await api.database.query("UPDATE cursors SET seq = 1021, updated_at = $1 WHERE restaurant_id = 'r0001'", [
      new Date(api.clock.now()),
    ]);
    expect((await events.next()).changed).toEqual(["now", "sales"]);
    await response.body?.cancel().catch(() => undefined);
  });

  it("each restaurant has its version, start, last backup and free disk space [HQ-130]", async () => {
    await writeBeats({ r0003: { version: "1.3.2", freeDiskBytes: 5_000_000_000 } });
    const at = (ago: number): string => new Date(api.clock.now() - ago).toISOString();
    const machine = { startedAt: at(DAY_MS), lastBackupAt: at(6 * HOUR_MS), terminals: { connected: 6, away: 0 } };
    const { restaurants: rows } = await now();
    expect(rowOf({ restaurants: rows }, "r0003")).toMatchObject({
      beat: { ...machine, version: "1.3.2", freeDiskBytes: 5_000_000_000 },
    });
    expect(rowOf({ restaurants: rows }, "r0004")).toMatchObject({ beat: { ...machine, version: "1.4.0" } });
  });
});

/** Reads the events of a stream one at a time. */
function readEvents(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    async next(): Promise<{ changed: string[] }> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end !== -1) {
          const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
          text = text.slice(end + 2);
          if (data !== undefined) return JSON.parse(data) as { changed: string[] };
          continue;
        }
        const read = await reader?.read();
        if (read?.value === undefined) throw new Error("the stream has ended");
        text += read.value;
      }
    },
  };
}

import { DAY_MS } from "@comanda/protocol";
import type { HqProposal } from "@comanda/protocol/headquarters.ts";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createRetention } from "../retention/retention.ts";
import { fillChain, type FilledRestaurant } from "../test/fill-chain.ts";
import { signInAs, signInOwner, startTestApi, type TestApi } from "../test/start-test-api.ts";
import { dishOut } from "../test/start-test-proposals.ts";

describe("the API of proposals", () => {
  let api: TestApi;
  let owner: Awaited<ReturnType<typeof signInOwner>>;
  let operations: typeof owner;
  let region: typeof owner;
  let support: typeof owner;
  let restaurants: FilledRestaurant[];
  beforeAll(async () => {
    api = await startTestApi();
    restaurants = await fillChain(api.database, { restaurants: 20, days: 3, now: api.clock.now() });
    owner = await signInOwner(api);
    operations = await signInAs(api, owner, { login: "oper", role: "operations" });
    region = await signInAs(api, owner, { login: "sur", role: "region", groups: ["Sur"] });
    const expiresAt = new Date(api.clock.now() + 10 * DAY_MS).toISOString();
    support = await signInAs(api, owner, { login: "ayuda", role: "support", expiresAt });
  });
  afterAll(() => api.stop());

  const out = (more: object = {}) => dishOut(more, api.clock.now());
  const settings = () => out({ kind: "settings", policy: "ask", items: [{ key: "HUB_LANGUAGE", want: "es" }] });
  const later = (ms: number) => new Date(api.clock.now() + ms).toISOString();
  const idsIn = (group: string) => restaurants.filter((each) => each.group === group).map(({ id }) => id);
  const all = () => restaurants.map(({ id }) => id);
  const propose = (browser: typeof owner, to: readonly string[], proposal: object = out()) =>
    browser.post("/proposals", { proposal, restaurants: to });
  const refusal = (status: number, errorCode: string) => ({ status, body: { errorCode } });
  const read = async (id: string, browser = owner): Promise<HqProposal> => (await browser.get(`/proposals/${id}`)).body;
  /** Writes a restaurant's outcome as the ingester does. */
  const says = (proposal: string, restaurant: string, state: string) =>
    api.database.query(
      `UPDATE proposal_states SET at = $4, written_at = $4, outcome = jsonb_build_object('id', $1::text, 'version', 1,
         'state', $3::text) WHERE proposal_id = $1 AND restaurant_id = $2`,
      [proposal, restaurant, state, new Date(api.clock.now())],
    );

  it("owners and operations propose to all restaurants, and a region proposes products to its own [HQ-150]", async () => {
    expect((await propose(owner, all())).status).toBe(201);
    expect((await propose(operations, all(), settings())).status).toBe(201);
    const own = await propose(region, idsIn("Sur"));
    expect(own.status).toBe(201);
    expect(await read(own.body.id)).toMatchObject({ by: "sur", terms: out(), restaurants: [{}, {}] });
    expect(await propose(region, [...idsIn("Sur"), "r0001"])).toMatchObject(refusal(404, "NOT_FOUND"));
    expect(await propose(region, ["nobody"])).toMatchObject(refusal(404, "NOT_FOUND"));
    expect(await propose(region, idsIn("Sur"), settings())).toMatchObject(refusal(403, "FORBIDDEN"));
    expect(await propose(support, idsIn("Sur"))).toMatchObject(refusal(403, "FORBIDDEN"));
    const [entry] = (await owner.get("/audit")).body.entries;
    expect(entry).toMatchObject({
      person: "sur",
      action: "proposal.made",
      detail: { id: own.body.id, restaurants: 2 },
    });
  });

  it("unknown and closed restaurants are named in the refusal, and impossible times are refused [HQ-150]", async () => {
    const unknown = await propose(owner, ["r0001", "nobody", "nowhere"]);
    expect(unknown).toMatchObject(refusal(400, "VALIDATION_ERROR"));
    expect(unknown.body.error).toMatch(/: nobody, nowhere$/);
    await owner.patch("/restaurants/r0020", { isClosed: true });
    const closed = await propose(owner, ["r0001", "r0020"]);
    expect(closed).toMatchObject(refusal(400, "VALIDATION_ERROR"));
    expect(closed.body.error).toContain(restaurants[19]?.name);
    await owner.patch("/restaurants/r0020", { isClosed: false });
    for (const times of [
      { at: later(0), until: later(0) },
      { at: later(-2 * DAY_MS), until: later(0) },
      { at: later(2 * DAY_MS), until: later(DAY_MS) },
      { at: later(0), until: later(90 * DAY_MS + 1) },
    ]) {
      expect(await propose(owner, ["r0001"], out(times))).toMatchObject(refusal(400, "VALIDATION_ERROR"));
    }
    expect((await propose(owner, ["r0001"], out({ at: later(-DAY_MS), until: later(90 * DAY_MS) }))).status).toBe(201);
    const apply = { ...settings(), policy: "apply" };
    expect(await propose(owner, ["r0001"], apply)).toMatchObject(refusal(400, "VALIDATION_ERROR"));
    expect(await propose(owner, [])).toMatchObject(refusal(400, "VALIDATION_ERROR"));
    const [count] = await api.database.query<{ count: number }>(
      "SELECT count(*) AS count FROM proposals p WHERE NOT EXISTS (SELECT 1 FROM proposal_states WHERE proposal_id = p.id)",
    );
    expect(count).toEqual({ count: 0 });
  });

  it("a proposal has its state at each restaurant and a count by state [HQ-154]", async () => {
    const to = ["r0001", "r0002", "r0003", "r0004", "r0005", "r0006"];
    await api.database.query("UPDATE beats SET heard_at = $1", [new Date(api.clock.now())]);
    await api.database.query("UPDATE beats SET heard_at = $1 WHERE restaurant_id = 'r0002'", [
      new Date(api.clock.now() - 60_000),
    ]);
    await api.database.query("DELETE FROM beats WHERE restaurant_id = 'r0003'");
    const { id } = (await propose(owner, to)).body;
    await says(id, "r0004", "waiting");
    await says(id, "r0005", "declined");
    await says(id, "r0006", "withdrawn");
    const states = async () => {
      const { restaurants: rows } = await read(id);
      return Object.fromEntries(rows.map((row) => [row.id, row.state]));
    };
    const reported = { r0004: "waiting", r0005: "declined", r0006: "withdrawn" };
    expect(await states()).toEqual({ r0001: "sent", r0002: "unreachable", r0003: "unreachable", ...reported });
    expect((await read(id)).restaurants.find((each) => each.id === "r0004")).toMatchObject({
      at: later(0),
      lastSeenAt: later(0),
      outcome: { id, version: 1, state: "waiting" },
    });
    const listed = (await owner.get("/proposals")).body.proposals.find((each: { id: string }) => each.id === id);
    expect(listed.states).toEqual([
      { state: "waiting", restaurants: 1 },
      { state: "unreachable", restaurants: 2 },
      { state: "sent", restaurants: 1 },
      { state: "declined", restaurants: 1 },
      { state: "withdrawn", restaurants: 1 },
    ]);
    expect((await owner.post(`/proposals/${id}/withdraw`, {})).status).toBe(200);
    expect(await states()).toEqual({ r0001: "withdrawn", r0002: "withdrawn", r0003: "withdrawn", ...reported });
    await api.database.query("UPDATE proposals SET until_at = $2 WHERE id = $1", [id, later(-DAY_MS)]);
    const over = { r0001: "expired", r0002: "expired", r0003: "expired", r0004: "expired" };
    expect(await states()).toEqual({ ...over, r0005: "declined", r0006: "withdrawn" });
  });

  it("a region sees its own restaurants, and changes only proposals to these alone [HQ-154, HQ-155]", async () => {
    const sur = idsIn("Sur");
    const shared = (await propose(owner, all())).body.id;
    const foreign = (await propose(owner, ["r0001"])).body.id;
    const theirs = (await propose(owner, sur)).body.id;
    const set = (await propose(owner, sur, settings())).body.id;
    const visible = (await region.get("/proposals")).body.proposals;
    const ids = visible.map((each: { id: string }) => each.id);
    expect([shared, foreign, theirs, set].map((id) => ids.includes(id))).toEqual([true, false, true, true]);
    expect((await read(shared, region)).restaurants.map(({ id }) => id).toSorted()).toEqual(sur);
    expect(await region.get(`/proposals/${foreign}`)).toMatchObject(refusal(404, "NOT_FOUND"));
    expect(await owner.get("/proposals/none")).toMatchObject(refusal(404, "NOT_FOUND"));
    const mayChange = async (browser = region) => {
      const { proposals } = (await browser.get("/proposals")).body;
      const mayChangeById = new Map(proposals.map((each: HqProposal) => [each.id, each.mayChange]));
      return [shared, theirs, set].map((id) => mayChangeById.get(id));
    };
    expect(await mayChange()).toEqual([false, true, false]);
    expect(await mayChange(operations)).toEqual([true, true, true]);
    expect(await mayChange(support)).toEqual([false, false, false]);
    expect([(await read(shared, region)).mayChange, (await read(theirs, region)).mayChange]).toEqual([false, true]);
    for (const act of ["withdraw", "undo"]) {
      const change = (id: string, browser = region) => browser.post(`/proposals/${id}/${act}`, {});
      expect(await change(foreign)).toMatchObject(refusal(404, "NOT_FOUND"));
      expect(await change(shared)).toMatchObject(refusal(403, "FORBIDDEN"));
      expect(await change(set)).toMatchObject(refusal(403, "FORBIDDEN"));
      expect(await change(theirs, support)).toMatchObject(refusal(403, "FORBIDDEN"));
    }
    expect((await region.post(`/proposals/${theirs}/withdraw`, {})).status).toBe(200);
    expect((await owner.get("/audit")).body.entries[0]).toMatchObject({ person: "sur", action: "proposal.withdrawn" });
  });

  it("a region sees of an undo only the former values of its own restaurants [HQ-154]", async () => {
    const [own = ""] = idsIn("Sur");
    const items = [
      { key: "7", want: { state: "out" } },
      { key: "8", want: { state: "out" } },
    ];
    const { id } = (await propose(owner, ["r0001", own], out({ items }))).body;
    const reportApplied = (restaurant: string, was: Readonly<Record<string, object>>) =>
      api.database.query(
        `UPDATE proposal_states SET outcome = $3::text::jsonb WHERE proposal_id = $1 AND restaurant_id = $2`,
        [id, restaurant, JSON.stringify({ id, version: 1, state: "applied", items: itemsOf(was) })],
      );
    const itemsOf = (was: Readonly<Record<string, object>>) =>
      Object.entries(was).map(([key, now]) => ({ key, want: { state: "out" }, now }));
    await reportApplied("r0001", { 7: { state: "limited", left: 4 }, 8: { state: "available" } });
    await reportApplied(own, { 7: { state: "available" }, 8: { state: "out" } });
    const undo: string = (await owner.post(`/proposals/${id}/undo`, {})).body.id;
    const wantedItems = ({ terms }: HqProposal) =>
      (terms.items as { key: string; want: unknown }[]).map(({ key, want }) => [key, want]);
    const is = (state: string, left: number | null = null) => ({ state, left, until: null });
    expect(wantedItems(await read(undo, region))).toEqual([["7", is("available")]]);
    expect(wantedItems(await read(undo))).toEqual([
      ["7", is("limited", 4)],
      ["8", is("available")],
    ]);
    const { proposals } = (await region.get("/proposals")).body;
    expect(wantedItems(proposals.find((each: HqProposal) => each.id === undo))).toEqual([["7", is("available")]]);
    expect((await read(id, region)).undoneBy).toBe(undo);

    // To a region, a proposal that is undone only outside of it is merely withdrawn.
    const { id: other } = (await propose(owner, ["r0001", own])).body;
    await api.database.query(
      `UPDATE proposal_states SET outcome = $2::text::jsonb WHERE proposal_id = $1 AND restaurant_id = 'r0001'`,
      [
        other,
        JSON.stringify({ id: other, version: 1, state: "applied", items: itemsOf({ 7: { state: "available" } }) }),
      ],
    );
    const undoing = (await owner.post(`/proposals/${other}/undo`, {})).body.id;
    expect((await region.get(`/proposals/${undoing}`)).status).toBe(404);
    expect(await read(other, region)).toMatchObject({ undoneBy: null, withdrawnAt: expect.any(String) });
    expect((await read(other)).undoneBy).toBe(undoing);
  });

  it("the products for a proposal are those sold or out, named as in the newest sale [HQ-157]", async () => {
    const sell = (day: number, product: string, name: string, restaurant = "r0001") =>
      api.database.query("INSERT INTO sales_products VALUES ($1, $2, $3, $4, 10000, 100)", [
        restaurant,
        later(-day * DAY_MS).slice(0, 10),
        product,
        name,
      ]);
    await sell(91, "old", "Antiguo");
    await sell(90, "x1", "Asado");
    await sell(80, "x1", "Asado nuevo");
    await sell(80, "", "Sin producto");
    for (const [restaurant, product, state] of [
      ["r0001", "x1", "out"],
      [idsIn("Sur")[0], "x1", "out"],
      ["r0002", "x1", "available"],
      ["r0002", "unsold", "out"],
    ]) {
      await api.database.query("INSERT INTO item_states VALUES ($1, $2, 1, 0, jsonb_build_object('state', $3::text))", [
        restaurant,
        product,
        state,
      ]);
    }
    const { products } = (await owner.get("/products")).body;
    const names = products.map(({ name }: { name: string }) => name);
    expect(names.slice(0, 2)).toEqual(["Asado nuevo", "Plato 1"]);
    expect(products).toContainEqual({ productId: "x1", name: "Asado nuevo", outAt: 2 });
    expect(products).toContainEqual({ productId: "unsold", name: "unsold", outAt: 1 });
    expect(products).toHaveLength(62);
    const own = (await region.get("/products")).body.products;
    expect(own).toContainEqual({ productId: "x1", name: "x1", outAt: 1 });
    expect(own).toHaveLength(61);
    expect((await support.get("/products")).status).toBe(403);
  });

  it("events name proposals when one is made, answered or withdrawn, ends, or a restaurant goes offline [HQ-158]", async () => {
    await api.database.query("UPDATE beats SET heard_at = $1", [new Date(api.clock.now())]);
    const closing = new AbortController();
    const events = await fetch(`${api.origin}/hq/v1/events`, {
      headers: { Cookie: owner.cookie() },
      signal: closing.signal,
    });
    let text = "";
    void (async () => {
      for await (const chunk of events.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    })().catch(() => undefined);
    const named = () => (text.match(/"proposals"/g) ?? []).length;
    async function expectNotified(act: () => Promise<unknown> | void): Promise<void> {
      const before = named();
      await act();
      await vi.waitUntil(() => named() > before, { timeout: 5_000 });
    }
    await vi.waitUntil(() => text.includes("changed"));
    let id = "";
    await expectNotified(async () => (id = (await propose(owner, ["r0001", "r0002"])).body.id));
    api.clock.advance(1);
    await expectNotified(() => says(id, "r0001", "waiting"));
    await expectNotified(() => owner.post(`/proposals/${id}/withdraw`, {}));
    await expectNotified(() => api.clock.advance(60_000));
    await expectNotified(() =>
      api.database.query("UPDATE proposals SET until_at = $2 WHERE id = $1", [id, later(-DAY_MS)]),
    );
    closing.abort();
  });

  it("proposals are removed a year after their end, also those that undo each other [HQ-158]", async () => {
    const world = { now: () => api.clock.now() + 300 * DAY_MS, log: pino({ level: "silent" }) };
    const first = (await propose(owner, ["r0001"])).body.id;
    const second = (await propose(owner, ["r0001"], out({ until: later(80 * DAY_MS) }))).body.id;
    await api.database.query("UPDATE proposals SET undoes = $1 WHERE id = $2", [first, second]);
    await createRetention({ database: api.database, checkDays: 290 }, world).tidy();
    expect(await owner.get(`/proposals/${first}`)).toMatchObject(refusal(404, "NOT_FOUND"));
    expect(await read(second)).toMatchObject({ undoes: null, restaurants: [{ id: "r0001" }] });
    const rows = await api.database.query("SELECT 1 FROM proposal_states WHERE proposal_id = $1", [first]);
    expect(rows).toEqual([]);
  });
});

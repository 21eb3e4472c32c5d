import { createHash, randomUUID } from "node:crypto";
import { restaurantClock, type StoredOrder } from "@comanda/protocol";
import { chainDigest, type ChainDigest, ChainLost, chainSubjects } from "@comanda/protocol/chain.ts";
import { createUser } from "@nats-io/nkeys";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { EVENING } from "./evening.ts";
import { differences } from "./differences.ts";
import { missingNats } from "./nats-server.ts";
import { type Faults, SimulatedHub } from "./simulated-hub.ts";
import { SimulatedRestaurant } from "./simulated-restaurant.ts";
import {
  connectAs,
  startTestHeadquarters,
  type TestHeadquarters,
  type TestRestaurant,
} from "./start-test-headquarters.ts";

const YEAR_MS = 365 * 86_400_000;

describe.skipIf(missingNats !== null)("what restaurants send", () => {
  let headquarters: TestHeadquarters;
  beforeAll(async () => {
    headquarters = await startTestHeadquarters();
  });
  afterAll(async () => headquarters?.stop());

  /** Creates a restaurant whose hubs send until the test ends. */
  async function restaurant(options: { faults?: Partial<Faults>; seed?: number; objects?: number } = {}) {
    const enrolled = await headquarters.addRestaurant();
    const simulated = new SimulatedRestaurant(enrolled.id, `hub-${enrolled.id}`, options.seed ?? 7, EVENING);
    const connect = async (batches = Infinity): Promise<SimulatedHub> => {
      const connection = await enrolled.connect();
      const hub = new SimulatedHub(simulated, connection, { ...options, batches }).start();
      onTestFinished(async () => {
        await hub.stop();
        await connection.close();
      });
      return hub;
    };
    return { enrolled, simulated, connect };
  }

  /** Requests, as a hub, all pages of the checks that headquarters know it has lost. */
  async function requestLost(enrolled: TestRestaurant, { hubId, history }: SimulatedRestaurant) {
    const line = await enrolled.connect();
    onTestFinished(() => line.close());
    const ask = async (after: number): Promise<ChainLost> => {
      const { generation, epoch } = history;
      const question = JSON.stringify({ hubId, generation, epoch, after });
      const answer = await line.request(chainSubjects.askLost(enrolled.id), question, { timeout: 3_000 });
      return ChainLost.parse(answer.json());
    };
    const answered: ChainLost["checks"] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: ChainLost = await ask(after);
      answered.push(...page.checks);
      after = page.next;
    }
    return { answered, ask };
  }

  const done = (hub: SimulatedHub) => vi.waitUntil(() => hub.isDone(), { timeout: 20_000, interval: 20 });

  it("everything that a restaurant sends is stored once, and every sum is right to the cent [HQ-30, HQ-33]", async () => {
    const { simulated, connect } = await restaurant();
    simulated.steps(300);
    const hub = await connect();
    await done(hub);
    expect(await differences(headquarters.database, simulated)).toEqual([]);
    for (let n = 0; n < 10; n += 1) {
      simulated.steps(20);
      await done(hub);
    }
    expect(await differences(headquarters.database, simulated)).toEqual([]);
    expect(simulated.expected().paidCents).toBeGreaterThan(0);
  });

  it("the guests of a split check count once, in the hours of the restaurant's own report [HQ-33]", async () => {
    const { simulated, connect } = await restaurant({ faults: { twice: 0.2, overlap: 0.2 } });
    const hub = await connect();
    for (let n = 0; n < 12; n += 1) {
      simulated.steps(25);
      simulated.jump(20 * 60_000);
      await done(hub);
    }
    expect(await differences(headquarters.database, simulated)).toEqual([]);
    const { orders } = simulated.history;
    const paid = [...orders.values()].flatMap(({ order }) => (order.snapshot.status === "paid" ? [order] : []));
    const parts = paid.filter(({ snapshot }) => snapshot.seatedAt !== undefined);
    expect(parts.length).toBeGreaterThan(5);
    const origins = new Set(parts.map(({ snapshot }) => snapshot.seatedAt));
    async function correct(change: object): Promise<void> {
      for (const { order } of orders.values()) {
        if (order.snapshot.status !== "paid" || !origins.has(order.snapshot.createdAt)) continue;
        Object.assign(order.snapshot, change);
        simulated.touch(order.posReference);
      }
      await done(hub);
      expect(await differences(headquarters.database, simulated)).toEqual([]);
    }
    await correct({ paidAt: new Date(EVENING - 7_200_000).toISOString() });
    // Reopens the checks that were paid first: the guests now count with another check of the party.
    const { guests } = simulated.expected();
    await correct({ status: "sent" });
    const later = [...simulated.expected().guests].filter(([hour, count]) => count > (guests.get(hour) ?? 0));
    expect(later).not.toEqual([]);
  });

  it("the copy of a restaurant that is catching up keeps its earlier time until everything has arrived [HQ-193]", async () => {
    const { simulated, connect, enrolled } = await restaurant({ objects: 5 });
    simulated.steps(20);
    const before = await connect();
    await done(before);
    await before.stop();
    const cursor = async () => {
      const [row] = await headquarters.database.query<{ seq: number; copyOf: Date | null }>(
        `SELECT seq, copy_of AS "copyOf" FROM cursors WHERE restaurant_id = $1`,
        [enrolled.id],
      );
      return row;
    };
    const then = await cursor();
    simulated.steps(200);
    // The line is lost again after the first of many batches.
    const flapping = await connect(1);
    await vi.waitUntil(async () => ((await cursor())?.seq ?? 0) > (then?.seq ?? 0));
    await flapping.stop();
    expect((await cursor())?.copyOf).toEqual(then?.copyOf);
    await done(await connect());
    expect((await cursor())?.copyOf?.getTime()).toBeGreaterThan(then?.copyOf?.getTime() ?? Infinity);
  });

  it("a day is compared with the data of that moment, and everything is requested if it differs [HQ-40]", async () => {
    const { simulated, connect, enrolled } = await restaurant();
    simulated.steps(300);
    const hub = await connect();
    await done(hub);
    const { query } = headquarters.database;
    const clock = restaurantClock("America/Santo_Domingo");
    const day = clock.day(EVENING);
    const today = (): ChainDigest => {
      const paid = [...simulated.history.orders.values()].flatMap(({ order: { posReference, version, snapshot } }) =>
        snapshot.status === "paid"
          ? [{ posReference, version, totalCents: Math.round(snapshot.totals.total * 100) }]
          : [],
      );
      const removed = simulated.history.removed.size;
      return chainDigest(day, { paid, removed }, (text) => createHash("sha256").update(text).digest("hex"));
    };
    const isCopied = async () => {
      const [row] = await query<{ isEqual: boolean }>(
        `SELECT is_equal AS "isEqual" FROM digests WHERE restaurant_id = $1`,
        [enrolled.id],
      );
      return row?.isEqual;
    };
    const transfers = async () => {
      const [row] = await query<{ fullId: number }>(
        `SELECT full_id AS "fullId" FROM cursors WHERE restaurant_id = $1`,
        [enrolled.id],
      );
      return row?.fullId;
    };
    await hub.reportDay(today());
    await vi.waitUntil(async () => (await isCopied()) === true);
    expect(today().paid).toBeGreaterThan(10);

    // The next change, right after the digest, affects a check of that day.
    const reporting = hub.reportDay(today());
    simulated.touch(
      [...simulated.history.orders.values()].find(({ order }) => order.snapshot.status === "paid")!.order.posReference,
    );
    await reporting;
    await done(hub);
    expect([await isCopied(), await transfers()]).toEqual([true, 1]);

    await hub.reportDay({ ...today(), totalCents: today().totalCents + 1 });
    await vi.waitUntil(async () => (await transfers()) === 2, { timeout: 10_000 });
    await done(hub);
    expect(await isCopied()).toBe(false);
    expect(await differences(headquarters.database, simulated)).toEqual([]);
    await hub.reportDay(today());
    await vi.waitUntil(async () => (await isCopied()) === true);
  });

  it("sales of a hub count at the restaurant where it made them after it has moved to another [HQ-360]", async () => {
    const { database, enrolment, nats } = headquarters;
    async function enrol(id: string, hubId: string) {
      await database.query("INSERT INTO restaurants (id, name, created_at) VALUES ($1, $1, now())", [id]);
      const key = createUser();
      const { code } = await enrolment.createCode(id, "Eva");
      await enrolment.enrol({ code, publicKey: key.getPublicKey(), hubId, hubName: "Caja", version: "1" }, "10.0.0.1");
      return key.getSeed();
    }
    async function send(simulated: SimulatedRestaurant, seed: Uint8Array): Promise<SimulatedHub> {
      const connection = await connectAs(nats.publicUrl, simulated.id, seed);
      const hub = new SimulatedHub(simulated, connection, { objects: 20 }).start();
      onTestFinished(async () => {
        await hub.stop();
        await connection.close();
      });
      await done(hub);
      return hub;
    }
    const sums = async (...ids: string[]) => {
      const [row] = await database.query<{ paid: number; refunded: number; products: number }>(
        `SELECT sum(paid_cents)::int AS paid, sum(refunded_cents)::int AS refunded, (SELECT sum(amount_cents)::int
           FROM sales_products WHERE restaurant_id = ANY($1)) AS products
         FROM sales_hours WHERE restaurant_id = ANY($1)`,
        [ids],
      );
      return row;
    };
    const hubId = "hub-moves";
    const { clock } = headquarters;
    clock.ahead = EVENING - 60_000 - Date.now();
    onTestFinished(() => void (clock.ahead = 0));
    const first = new SimulatedRestaurant("before", hubId, 5, EVENING);
    first.steps(200);
    const before = await send(first, await enrol("before", hubId));
    await before.stop();
    const soldBefore = await sums("before");
    // Changes that were never sent, so they are not counted yet.
    first.steps(60);
    await enrolment.revoke("before", "Eva");

    const second = new SimulatedRestaurant("after", hubId, 6, EVENING + 86_400_000);
    second.continueFrom(first);
    second.steps(100);
    const after = await send(second, await enrol("after", hubId));
    const { paidCents, refundedCents } = second.expected();
    expect(await sums("before", "after")).toEqual({ paid: paidCents, refunded: refundedCents, products: paidCents });
    expect(await sums("before")).toEqual(soldBefore);
    // The new restaurant stores the checks of the old one once more.
    for (const posReference of first.history.orders.keys()) second.touch(posReference);
    await done(after);
    expect(await sums("before", "after")).toEqual({ paid: paidCents, refunded: refundedCents, products: paidCents });
  });

  it("a differing day leads to a full transfer even if the hub missed the request [HQ-195]", async () => {
    const { simulated, connect, enrolled } = await restaurant();
    simulated.steps(60);
    const before = await connect();
    await done(before);
    const { query } = headquarters.database;
    // The hub stops right after sending the day's digest.
    await before.stop();
    const day = restaurantClock("America/Santo_Domingo").day(EVENING);
    await before.reportDay(chainDigest(day, { paid: [], removed: 0 }, () => "0".repeat(64)));
    await vi.waitUntil(async () => {
      const rows = await query("SELECT 1 FROM digests WHERE restaurant_id = $1 AND NOT is_equal", [enrolled.id]);
      return rows.length > 0;
    });
    const transfers = async () => {
      const [row] = await query<{ count: number }>("SELECT full_id AS count FROM cursors WHERE restaurant_id = $1", [
        enrolled.id,
      ]);
      return row?.count;
    };
    const next = await connect();
    await vi.waitUntil(async () => (await transfers()) === 2, { timeout: 10_000 });
    await done(next);
    expect(await differences(headquarters.database, simulated)).toEqual([]);
  });

  it("refunds of a gone check are removed from their hour, too [HQ-32]", async () => {
    const { simulated, connect } = await restaurant();
    simulated.steps(60);
    const backup = simulated.backup();
    simulated.steps(60);
    const lost = [...simulated.history.orders.values()].find(
      ({ order: { posReference, snapshot } }) =>
        snapshot.status === "paid" && snapshot.refunds === undefined && !backup.orders.has(posReference),
    )!.order;
    // An hour without other sales.
    const at = new Date(EVENING + 5 * 3_600_000).toISOString();
    const refund = { refundId: randomUUID(), state: "made" as const, at, madeAt: at, by: "Ana", terminalId: "t1" };
    lost.snapshot.refunds = [{ ...refund, reason: null, lines: [], amount: 1, refund: [] }];
    simulated.touch(lost.posReference);
    const before = await connect();
    await done(before);
    expect(await differences(headquarters.database, simulated)).toEqual([]);

    await before.stop();
    simulated.restore(backup);
    simulated.note("history.forked", {});
    await done(await connect());
    expect(await differences(headquarters.database, simulated)).toEqual([]);
  });

  it("a restored hub is sent what it has lost in its last state, open checks first [HQ-233]", async () => {
    const { simulated, connect, enrolled } = await restaurant({ objects: 200 });
    simulated.steps(60);
    const backup = simulated.backup();
    simulated.steps(400);
    const before = await connect();
    await done(before);
    await before.stop();
    const was = structuredClone(simulated.history);
    simulated.restore(backup);
    simulated.note("history.forked", {});
    await done(await connect());

    const { answered, ask } = await requestLost(enrolled, simulated);
    const lost = [
      ...[...was.orders.values()].map(({ order }) => order),
      ...[...was.removed.values()].map(({ removal: { posReference, version, at } }) => ({ posReference, version, at })),
    ].filter(({ posReference, version }) => {
      const here = backup.orders.get(posReference)?.order ?? backup.removed.get(posReference)?.removal;
      return here?.version !== version;
    });
    expect(lost.length).toBeGreaterThan(100);
    const byReference = (
      { posReference: one }: { posReference: string },
      { posReference: other }: (typeof lost)[number],
    ) => (one < other ? -1 : 1);
    expect(answered.map(({ check }) => check as (typeof lost)[number]).toSorted(byReference)).toEqual(
      lost.toSorted(byReference),
    );
    expect(new Set(answered.map((each) => each.hubId))).toEqual(new Set([simulated.hubId]));
    const isOpen = answered.map(({ check }) => (check as Partial<StoredOrder>).snapshot?.status === "sent");
    expect(isOpen.lastIndexOf(true)).toBe(isOpen.filter(Boolean).length - 1);

    // Too old for any hub to take over.
    headquarters.clock.ahead = 31 * 86_400_000;
    await headquarters.retention.tidy();
    headquarters.clock.ahead = 0;
    expect(await ask(0)).toEqual({ checks: [], next: null });
  });

  it("a lost check too large for a message is left out, and the question gets no answer while more is to come [HQ-238]", async () => {
    const { simulated, connect, enrolled } = await restaurant({ objects: 200 });
    const backup = simulated.backup();
    simulated.steps(100);
    const before = await connect();
    await done(before);
    await before.stop();
    const references = [...simulated.history.orders.keys(), ...simulated.history.removed.keys()].toSorted();
    const { query } = headquarters.database;
    await query(
      `UPDATE checks SET body = jsonb_set(body, '{snapshot,note}', to_jsonb(repeat('long ', 300000)))
       WHERE restaurant_id = $1 AND pos_reference = $2`,
      [enrolled.id, references[0]],
    );
    simulated.restore(backup);
    simulated.note("history.forked", {});
    await done(await connect());
    const { answered, ask } = await requestLost(enrolled, simulated);
    const lostReferences = answered.map(({ check }) => (check as StoredOrder).posReference).toSorted();
    expect(lostReferences).toEqual(references.slice(1));
    // A hub that took an empty page for the end of the list would never ask again.
    await query("UPDATE cursors SET is_full_wanted = TRUE WHERE restaurant_id = $1", [enrolled.id]);
    await expect(ask(0)).rejects.toThrow("timeout");
  });

  it("a full transfer completes when its hub starts again in the middle of it [HQ-32, HQ-40]", async () => {
    const { simulated, connect, enrolled } = await restaurant();
    simulated.steps(60);
    const before = await connect();
    await done(before);
    await before.stop();
    const { query } = headquarters.database;
    // State after the first part of a transfer.
    const { epoch, seq } = simulated.history;
    const transfer = JSON.stringify({ epoch, cut: seq, from: seq - 10, isTorn: false, hasHole: false });
    await query("UPDATE cursors SET full_id = 2, transfer = $2::text::jsonb WHERE restaurant_id = $1", [
      enrolled.id,
      transfer,
    ]);
    await done(await connect());
    const [cursor] = await query("SELECT full_id, transfer FROM cursors WHERE restaurant_id = $1", [enrolled.id]);
    expect(cursor).toEqual({ full_id: 2, transfer: null });
    expect(await differences(headquarters.database, simulated)).toEqual([]);
  });

  it("the ingester reads on after the stream was re-created, without watching the connection twice [HQ-39]", async () => {
    const { simulated, connect } = await restaurant();
    const hub = await connect();
    await done(hub);
    const watched = vi.spyOn(headquarters.nats.connection, "status");
    onTestFinished(() => watched.mockRestore());
    await (await headquarters.streams()).delete(chainSubjects.stream);
    simulated.steps(5);
    await done(hub);
    expect(await differences(headquarters.database, simulated)).toEqual([]);
    // Only the consumer itself watches, once, and stops when it ends.
    expect(watched).toHaveBeenCalledTimes(1);
  });

  it("old checks of a closed restaurant are removed as time goes on for the others [HQ-196]", async () => {
    // The restaurants of other tests may be years ahead.
    await headquarters.database.query("UPDATE cursors SET copy_of = NULL");
    const { simulated, connect, enrolled } = await restaurant();
    const other = await restaurant({ seed: 8 });
    simulated.steps(60);
    await done(await connect());
    const otherHub = await other.connect();
    await done(otherHub);
    const { query } = headquarters.database;
    const count = async () => {
      const [row] = await query<{ count: number }>(
        "SELECT count(*) AS count FROM checks WHERE restaurant_id = $1 AND day IS NOT NULL",
        [enrolled.id],
      );
      return row?.count;
    };
    await query("UPDATE restaurants SET is_closed = TRUE WHERE id = $1", [enrolled.id]);
    const { ahead } = headquarters.clock;
    headquarters.clock.ahead = 2 * YEAR_MS;
    await headquarters.retention.tidy();
    expect(await count()).toBeGreaterThan(0);
    otherHub.ahead = EVENING + 402 * 86_400_000 - Date.now();
    other.simulated.steps(1);
    await done(otherHub);
    await headquarters.retention.tidy();
    expect(await count()).toBe(0);
    headquarters.clock.ahead = ahead;
  });

  it("old checks are removed and their sums kept, whatever arrives later [HQ-45]", async () => {
    const { simulated, connect, enrolled } = await restaurant();
    simulated.steps(150);
    const hub = await connect();
    await done(hub);
    const sums = () =>
      headquarters.database.query(
        `SELECT 'hour' AS kind, hour::text AS key, paid_cents AS amount FROM sales_hours WHERE restaurant_id = $1
         UNION ALL SELECT 'product', day::text || product_id, amount_cents FROM sales_products WHERE restaurant_id = $1
         ORDER BY 1, 2`,
        [enrolled.id],
      );
    const count = async () => {
      const [row] = await headquarters.database.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM checks WHERE restaurant_id = $1 AND day IS NOT NULL)::int
           + (SELECT count(*) FROM check_lines WHERE restaurant_id = $1)::int AS count`,
        [enrolled.id],
      );
      return row?.count;
    };
    await headquarters.database.query(
      `INSERT INTO holes (restaurant_id, epoch, from_seq, to_seq, cause, at)
       VALUES ($1, 'e', 1, 2, '{"kind": "unreadable_transfer"}', $2)`,
      [enrolled.id, new Date(EVENING)],
    );
    const holes = () => headquarters.database.query("SELECT id FROM holes WHERE restaurant_id = $1", [enrolled.id]);
    const [before, countBefore] = [await sums(), await count()];
    expect(before.length).toBeGreaterThan(3);
    const { ahead } = headquarters.clock;
    headquarters.clock.ahead = 2 * YEAR_MS;
    await headquarters.retention.tidy();
    // Only headquarters' clock has moved, or the restaurant is offline: none of its data counts as too old.
    expect(await count()).toBe(countBefore);
    expect(await holes()).toHaveLength(1);
    hub.ahead = EVENING + 402 * 86_400_000 - Date.now();
    const paid = [...simulated.history.orders.values()].find(({ order }) => order.snapshot.status === "paid")!;
    simulated.touch(paid.order.posReference);
    await done(hub);
    await headquarters.database.query(
      `INSERT INTO alerts (key, kind, severity, since, cleared_at) VALUES ('over', 'hole', 'page', $1, $1), ('open', 'hole', 'page', $1, NULL)`,
      [new Date(EVENING)],
    );
    await headquarters.retention.tidy();
    expect(await holes()).toEqual([]);
    expect(await headquarters.database.query("SELECT key FROM alerts WHERE since = $1", [new Date(EVENING)])).toEqual([
      { key: "open" },
    ]);
    expect(await count()).toBe(0);
    expect(await sums()).toEqual(before);

    simulated.touch(paid.order.posReference);
    await done(hub);
    expect(await count()).toBeGreaterThan(0);
    expect(await sums()).toEqual(before);
    headquarters.clock.ahead = ahead;
  });

  it("a refund stays in its hour when its check itself is too old [HQ-45]", async () => {
    const { simulated, connect, enrolled } = await restaurant();
    simulated.steps(60);
    const sold = [...simulated.history.orders.values()].filter(
      ({ order }) => order.snapshot.status === "paid" && order.snapshot.refunds === undefined,
    );
    // Refunds two checks in the same hour, long after. One of the checks was itself sold in that hour.
    const later = new Date(EVENING + 300 * 86_400_000).toISOString();
    const [old, young] = sold.map(({ order }) => order);
    for (const each of [old, young]) {
      const refund = { refundId: randomUUID(), state: "made" as const, at: later, madeAt: later, by: "Ana" };
      each!.snapshot.refunds = [{ ...refund, terminalId: "t1", reason: null, lines: [], amount: 1, refund: [] }];
      simulated.touch(each!.posReference);
    }
    young!.snapshot["paidAt"] = later;
    simulated.touch(young!.posReference);
    const hub = await connect();
    hub.ahead = EVENING + 402 * 86_400_000 - Date.now();
    await done(hub);
    const { ahead } = headquarters.clock;
    headquarters.clock.ahead = 2 * YEAR_MS;
    onTestFinished(() => void (headquarters.clock.ahead = ahead));
    await headquarters.retention.tidy();
    simulated.touch(young!.posReference);
    await done(hub);
    expect(
      await headquarters.database.query(
        `SELECT refunded_cents AS refunded FROM sales_hours
         WHERE restaurant_id = $1 AND hour = date_trunc('hour', $2::timestamptz)`,
        [enrolled.id, later],
      ),
    ).toEqual([{ refunded: 200 }]);
  });

  it("sales of a restaurant whose clock is two years behind count in its sums [HQ-44]", async () => {
    const { simulated, connect } = await restaurant();
    const hub = await connect();
    simulated.jump(-2 * YEAR_MS);
    hub.ahead = -2 * YEAR_MS;
    simulated.steps(60);
    await done(hub);
    expect(await differences(headquarters.database, simulated)).toEqual([]);
  });
});

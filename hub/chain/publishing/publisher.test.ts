import { createHash } from "node:crypto";
import * as nats from "@nats-io/transport-node";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { DAY_MS, type Snapshot } from "@comanda/protocol";
import {
  type ChainBatch,
  type ChainCursor,
  chainSubjects,
  MAX_BATCH_BYTES,
  noCursor,
  readSentPlace,
  type SentPlace,
} from "@comanda/protocol/chain.ts";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { forkEpoch } from "../../db/restore/fork-history.ts";
import { createItemStateStore } from "../../kitchen/item-state-store.ts";
import { createOrderStore } from "../../orders/store/order-store.ts";
import { createVersionPeopleStore } from "../../people/version-people.ts";
import { realWorld } from "../../platform/world.ts";
import { businessDay, dayBounds } from "../../time/business-day.ts";
import { createTableStore } from "../../tables/table-store.ts";
import { type ChainHeadquarters, startChainHeadquarters } from "../../test/chain/chain-headquarters.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import { until } from "../../test/support/until.ts";
import { createFactStore } from "../source/fact-store.ts";
import { createHubSource } from "../source/hub-source.ts";
import { createNatsLine, followHeadquarters } from "../connection/nats-line.ts";
import { createPublisher } from "./publisher.ts";

const world = realWorld(pino({ level: process.env["TEST_LOG"] ?? "silent" }));

const snapshot = (posReference: string, over: Partial<Snapshot> = {}): Snapshot => ({
  orderType: "takeout",
  tableId: null,
  guestCount: 1,
  posReference,
  status: "open",
  lines: [{ id: "a", productId: 101, name: "Café", quantity: 1, unitPrice: 50, total: 50 }],
  totals: { subtotal: 50, tax: 0, total: 50 },
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...over,
});

/** Creates the stores of a hub, without the rest of it. */
function openRestaurant(zone = "America/Santo_Domingo") {
  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const orders = createOrderStore(db);
  const tables = createTableStore(db);
  const items = createItemStateStore(db);
  const facts = createFactStore(db);
  const source = createHubSource({
    world,
    db,
    changes,
    orders,
    tables,
    versionPeople: createVersionPeopleStore(db),
    facts,
    envelope: () => ({ clock: { isTrusted: true, zone }, hub: { version: "1.2.3" } }),
    sharesGuests: false,
    onDamage: () => {},
  });

  return {
    db,
    changes,
    source,
    facts,
    save: (posReference: string, over: Partial<Snapshot> = {}) =>
      changes.write((tx) =>
        tx.emit(
          orders.save(tx, {
            posReference,
            snapshot: snapshot(posReference, over),
            kind: "edited",
            origin: "till",
            userName: "Ana",
            previous: orders.get(posReference),
          }),
        ),
      ),
    discard: (posReference: string) =>
      changes.write((tx) => {
        const order = orders.get(posReference);
        if (order === null) throw new Error(`there is no ${posReference}`);
        tx.emit(orders.remove(tx, order, "till", { reason: "se fue" }));
      }),
    occupy: (tableId: number) =>
      changes.write((tx) => tx.emit(tables.save(tx, tableId, "till", { status: "occupied" }))),
    runOut: (productId: number) =>
      changes.write((tx) => {
        const itemState = {
          productId,
          state: "out" as const,
          left: null,
          until: null,
          updatedAt: "2026-01-01T00:00:00.000Z",
        };
        tx.emit(items.save(tx, { itemState, since: tx.now }));
      }),
    fact: (kind: string, body: Record<string, unknown>) =>
      changes.write((tx) => {
        facts.record(tx.now, { kind, body });
        tx.notify([]);
      }),
    versions: (): Map<string, number> =>
      new Map(
        db
          .prepare<[], { ref: string; version: number }>("SELECT pos_reference AS ref, version FROM orders")
          .all()
          .map(({ ref, version }) => [ref, version]),
      ),
  };
}

type Restaurant = ReturnType<typeof openRestaurant>;

/** Connects a restaurant's publisher to headquarters. Everything stops with the test. */
async function publish(restaurant: Restaurant, headquarters: ChainHeadquarters, now = world.clock.now) {
  const { restaurantId } = headquarters;
  const connection = await nats.connect({
    servers: headquarters.url,
    authenticator: nats.nkeyAuthenticator(headquarters.seed),
    inboxPrefix: chainSubjects.inbox(restaurantId),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
    noAsyncTraces: true,
  });
  let isUp = true;
  const publisher = createPublisher({
    world: { ...world, clock: { ...world.clock, now } },
    source: restaurant.source,
    line: createNatsLine(nats, connection, restaurantId, () => isUp),
    restaurantId,
    historyDays: 45,
    kbps: 100_000,
    onState: () => {},
  });
  followHeadquarters(connection, restaurantId, publisher.listener);
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === "disconnect") isUp = false;
      if (type !== "reconnect") continue;
      isUp = true;
      publisher.listener.onUp();
    }
  })();
  restaurant.changes.addListener(publisher.wake);
  publisher.start();
  const stop = async (): Promise<void> => {
    await publisher.stop();
    await connection.close();
  };
  onTestFinished(stop);
  return { publisher, connection, stop };
}

const arrives = (restaurant: Restaurant, { received }: ChainHeadquarters): Promise<unknown> =>
  until(
    "everything is at headquarters",
    () =>
      received.cursor.isFullDone && received.digests.length > 0 && isEqual(received.versions(), restaurant.versions()),
    30_000,
  );

function referenceOf(entry: ChainBatch["orders"][number]): string {
  return "order" in entry ? entry.order.posReference : String(entry["posReference"]);
}

function isEqual(a: Map<string, number>, b: Map<string, number>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

it("the publisher sends everything at first, and then the newest state of each change [CHAIN-1]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  for (let n = 0; n < 450; n += 1) await restaurant.save(`Orden ${n}`);
  await restaurant.occupy(7);
  await restaurant.runOut(101);
  const { publisher } = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  expect(received.batches.map(({ full }) => full)).toEqual(["part", "part", "end"]);
  const references = received.batches.map(({ orders }) => orders.map(referenceOf)[0]);
  // Newest first.
  expect(references).toEqual(["Orden 252", "Orden 52", "Orden 0"]);
  expect(received.tables.get(7)?.table).toMatchObject({ tableId: 7, status: "occupied" });
  expect(received.items.get("101")?.item).toMatchObject({ state: "out" });

  await Promise.all([
    restaurant.save("Orden 3"),
    restaurant.save("Orden 3"),
    restaurant.save("Orden 4"),
    restaurant.discard("Orden 5"),
    restaurant.save("Nueva"),
  ]);
  await arrives(restaurant, headquarters);
  const [live] = received.batches.slice(3);
  expect(live?.orders.map(referenceOf)).toEqual(["Orden 3", "Orden 4", "Nueva"]);
  expect(live?.removed).toMatchObject([
    { posReference: "Orden 5", version: 2, reason: "se fue", last: { posReference: "Orden 5", version: 1 } },
  ]);
  expect(received.counts).toMatchObject({ gaps: 0, quarantined: 0, transfers: 1 });
  await until("the cursor is confirmed", () => publisher.state().confirmedUntil !== null);
});

it("a batch says whether more of the changes known by then will follow [CHAIN-35]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 0");
  const first = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  await first.stop();
  for (let n = 1; n <= 400; n += 1) await restaurant.save(`Orden ${n}`);
  const { publisher } = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  const batches = received.batches.map(({ orders, more }) => [orders.length, more ?? false]);
  expect(batches).toEqual([
    [1, false],
    [200, true],
    [200, false],
  ]);
  await until("all is confirmed", () => publisher.state().isCurrent);
});

it("a batch says that more will follow while facts are left, also at the end of a full transfer [CHAIN-40]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 0");
  for (let n = 0; n < 120; n += 1) await restaurant.fact("backup.made", { n });
  await publish(restaurant, headquarters);
  await until("all facts arrive", () => received.facts.size === 120);
  expect(received.batches.map(({ full, facts, more }) => [full, facts.length, more ?? false])).toEqual([
    ["end", 0, true],
    [undefined, 50, true],
    [undefined, 50, true],
    [undefined, 20, false],
  ]);
});

it("a restarted publisher continues after the stream's last batch if headquarters do not answer [CHAIN-2]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 1");
  const first = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  await first.stop();
  await restaurant.save("Orden 2");
  headquarters.answerCursors(false);
  await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  expect(received.batches.map(({ full, orders }) => [full, orders.length])).toEqual([
    ["end", 1],
    [undefined, 1],
  ]);
});

it("killing NATS, also with the loss of its store, loses and doubles nothing [CHAIN-3]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 0");
  await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  for (const wipe of [false, true]) {
    // What only the stream holds is lost with it.
    await headquarters.receiver.stop();
    for (let n = 1; n < 20; n += 1) await restaurant.save(`Orden ${n}`);
    await until("the stream holds it", async () => {
      const info = await headquarters.manager().streams.info(chainSubjects.stream);
      return info.state.messages > (wipe ? 0 : 2);
    });
    await headquarters.killServer({ wipe, whileStopped: () => restaurant.save("Entretanto") });
    headquarters.receiver.start();
    await arrives(restaurant, headquarters);
  }
  expect(received.counts).toMatchObject({ quarantined: 0, transfers: 1 });
});

it("the publisher goes back to headquarters' cursor when they miss a batch [CHAIN-4]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 0");
  await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  await headquarters.receiver.stop();
  await restaurant.save("Orden 1");
  await until("the stream holds it", async () => {
    const info = await headquarters.manager().streams.info(chainSubjects.stream);
    return info.state.messages === 3;
  });
  await headquarters.manager().streams.purge(chainSubjects.stream);
  headquarters.receiver.start();
  await restaurant.save("Orden 2");
  await arrives(restaurant, headquarters);
  expect(received.counts).toMatchObject({ gaps: 1, quarantined: 0, transfers: 1 });
});

it("a crash's new epoch continues the transfer, and a restore sends everything again [CHAIN-5]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 0");
  await restaurant.save("Orden 1");
  const first = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  await first.stop();
  forkEpoch(restaurant.db, world);
  await restaurant.save("Orden 2");
  const second = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  expect(received.counts).toMatchObject({ quarantined: 0, transfers: 1 });
  await second.stop();

  // A backup from before the second check is restored: that check is gone.
  const zombie = openRestaurant();
  zombie.db.prepare("UPDATE hub_state SET hub_id = (?), epoch = ?").run(received.cursor.hubId, received.cursor.epoch);
  const restored = openRestaurant();
  await restored.save("Orden 0");
  restored.db.prepare("UPDATE hub_state SET hub_id = ?, generation = 1").run(received.cursor.hubId);
  await publish(restored, headquarters);
  await arrives(restored, headquarters);
  expect(received.counts).toMatchObject({ transfers: 2 });
  expect(received.orders.get("Orden 2")).toMatchObject({ isGone: true });

  // The replaced computer comes back with a higher `seq` than anyone else.
  await zombie.save("Orden Z");
  const { publisher } = await publish(zombie, headquarters);
  await until("it is silent", () => publisher.state().isSuperseded);
  await restored.save("Orden 9");
  await arrives(restored, headquarters);
  expect(received.orders.has("Orden Z")).toBe(false);
});

it("the publisher sends no guest names, phones and tax ids, and no notes about guests [CHAIN-6]", async () => {
  const headquarters = await startChainHeadquarters();
  const restaurant = openRestaurant();
  const secrets: Partial<Snapshot> & Record<string, unknown> = {
    customerName: "SECRETO",
    notes: "SECRETO",
    phone: "SECRETO",
    customer: { name: "SECRETO" },
    pluginData: { reservations: { name: "SECRETO" } },
    lines: [
      {
        id: "a",
        productId: 101,
        name: "Café",
        quantity: 1,
        unitPrice: 50,
        total: 50,
        note: "SECRETO",
        specialRequest: "SECRETO",
        allergy: "SECRETO",
        for: "SECRETO",
        discount: { percent: 10, reason: "SECRETO" },
        modifiers: [{ id: "SECRETO", name: "SECRETO", price: 25, quantity: 2 }, "SECRETO"],
      },
    ],
    payments: [{ methodId: 1, amount: 50, tip: 5, customerId: "SECRETO", reference: "SECRETO" }],
    fiscal: {
      status: "assigned",
      type: "B01",
      rnc: "SECRETO",
      name: "SECRETO",
      lookup: "SECRETO",
      ecf: { ncf: "E310000000001", status: "signed", qrUrl: "https://example.do/?rnc=SECRETO" },
    },
    ncf: "E310000000001",
    paidAt: "2026-11-20T22:00:00.000Z",
  };
  await restaurant.save("Orden 1", secrets);
  await restaurant.save("Orden 2", secrets);
  await restaurant.discard("Orden 2");
  await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  const sent = headquarters.received.batches[0];
  expect(JSON.stringify(sent)).not.toContain("SECRETO");
  expect(sent?.orders[0]).toMatchObject({
    order: {
      posReference: "Orden 1",
      snapshot: {
        lines: [
          {
            id: "a",
            name: "Café",
            quantity: 1,
            total: 50,
            discount: { percent: 10 },
            modifiers: [{ price: 25, quantity: 2 }],
          },
        ],
        payments: [{ methodId: 1, amount: 50, tip: 5 }],
        fiscal: { status: "assigned", type: "B01", ecf: { ncf: "E310000000001" } },
        ncf: "E310000000001",
        paidAt: "2026-11-20T22:00:00.000Z",
      },
    },
  });
});

it("facts recorded before and after the start all arrive without a gap [CHAIN-7]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.fact("shift.opened", { shiftId: "s1" });
  await publish(restaurant, headquarters);
  await until("the first fact arrives", () => received.facts.size === 1);
  for (let n = 0; n < 120; n += 1) await restaurant.fact("backup.made", { n });
  await until("all facts arrive", () => received.facts.size === 121);
  await restaurant.save("Orden 1");
  await arrives(restaurant, headquarters);
  expect([...received.facts.values()].map(({ kind }) => kind).filter((kind) => kind === "backup.made")).toHaveLength(
    120,
  );
  expect(received.counts).toMatchObject({ gaps: 0 });
});

it("an object too large for a message is sent as a note to request it [CHAIN-8]", async () => {
  const headquarters = await startChainHeadquarters();
  const restaurant = openRestaurant();
  const noise = Array.from({ length: 9_000 }, (_, n) => ({
    id: `${n} ${world.random.uuid()}${world.random.uuid()}`,
    quantity: 1,
  }));
  await restaurant.save("Orden grande", { lines: noise });
  await restaurant.save("Orden 2");
  await publish(restaurant, headquarters);
  const { received } = headquarters;
  await until("both arrive", () => received.orders.size === 2);
  expect(received.orders.get("Orden grande")?.order).toBeNull();
  const sent = received.batches.flatMap(({ orders }) => orders).find((entry) => "tooLarge" in entry);
  expect((sent as { bytes: number }).bytes).toBeGreaterThan(MAX_BATCH_BYTES);
  expect(received.versions()).toEqual(new Map([["Orden 2", 1]]));
});

it("the last business day's digest is sent once, and again when headquarters request everything [CHAIN-19]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received, restaurantId } = headquarters;
  const restaurant = openRestaurant();
  const zone = "America/Santo_Domingo";
  const day = businessDay(Date.now() - DAY_MS, zone);
  const { from, to } = dayBounds(day, zone);
  const paid = (posReference: string, at: number, total: number) => {
    const over: Partial<Snapshot> & Record<string, unknown> = {
      status: "paid",
      totals: { subtotal: total, tax: 0, total },
      paidAt: new Date(at).toISOString(),
    };
    return restaurant.save(posReference, over);
  };
  await paid("Orden ñ", to - 1, 0.1);
  await paid("Orden z", from, 0.2);
  await paid("Anteayer", from - 1, 5);
  await paid("Hoy", to, 7);
  await restaurant.save("Abierta");
  await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  const hash = createHash("sha256").update("Orden z 1\nOrden ñ 1\n").digest("hex");
  const digest = { day, paid: 2, totalCents: 30, removed: 0, hash };
  expect(received.digests).toEqual([digest]);

  await restaurant.save("Abierta");
  await restaurant.discard("Abierta");
  await arrives(restaurant, headquarters);
  expect(received.digests).toHaveLength(1);
  headquarters.publish(chainSubjects.resend(restaurantId), { ...noCursor, epoch: received.cursor.epoch });
  await until("it is said once more", () => received.digests.length === 2);
  expect(received.digests[1]).toEqual(digest);
});

it("a day's digest is sent again when headquarters report that the day differs [CHAIN-19]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  const zone = "America/Santo_Domingo";
  const day = businessDay(Date.now() - 5 * DAY_MS, zone);
  const paidAt = new Date(dayBounds(day, zone).from).toISOString();
  const over: Partial<Snapshot> & Record<string, unknown> = { status: "paid", paidAt };
  await restaurant.save("Orden 1", over);
  await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  expect(received.digests).toMatchObject([{ paid: 0 }]);
  received.differing = [day];
  await restaurant.save("Orden 1", over);
  await arrives(restaurant, headquarters);
  await restaurant.save("Orden 2");
  await until("it is said", () => received.digests.length === 2);
  const hash = createHash("sha256").update("Orden 1 2\n").digest("hex");
  expect(received.digests[1]).toEqual({ day, paid: 1, totalCents: 5_000, removed: 0, hash });
  await restaurant.save("Orden 2");
  await arrives(restaurant, headquarters);
  expect(received.digests).toHaveLength(2);
});

it("the digest is sent again with a full transfer that was requested while there was no line [CHAIN-19]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 1");
  const { connection } = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  const [{ day } = { day: "" }] = received.digests;
  received.differing = [day];
  received.cursor = { ...received.cursor, isFullDone: false };
  await connection.reconnect();
  await until("everything is sent anew", () => received.counts.transfers === 2);
  await until("it is said once more", () => received.digests.length === 2);
  expect(received.digests[1]).toMatchObject({ day });
});

it("a day of 25 hours gets no digest before it is over [CHAIN-19]", async () => {
  const headquarters = await startChainHeadquarters();
  const restaurant = openRestaurant("America/New_York");
  await restaurant.save("Orden 1");
  // 4:30, after the clocks went back.
  await publish(restaurant, headquarters, () => Date.parse("2026-11-01T09:30:00Z"));
  await arrives(restaurant, headquarters);
  expect(headquarters.received.digests.map(({ day }) => day)).toEqual(["2026-10-30"]);
});

it("malformed messages of headquarters are ignored [CHAIN-9]", async () => {
  const headquarters = await startChainHeadquarters();
  const { received, restaurantId: r } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 1");
  const { publisher } = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  await until("the cursor is confirmed", () => publisher.state().confirmedUntil !== null);
  const sent = received.batches.length;
  const junk = ["", "{", "null", "[1]", '{"seq":-1}', '{"generation":1e300}', "\u0000", "x".repeat(100_000)];
  for (const payload of junk) {
    for (const subject of [chainSubjects.cursor(r), chainSubjects.resend(r), chainSubjects.superseded(r)]) {
      headquarters.publish(subject, payload);
    }
  }
  // From a hub that is ahead of this one, and from a generation that this hub never had.
  headquarters.publish(chainSubjects.cursor(r), { ...received.cursor, seq: 1_000_000 });
  headquarters.publish(chainSubjects.superseded(r), { generation: 0 });
  await headquarters.admin().flush();
  await restaurant.save("Orden 2");
  await arrives(restaurant, headquarters);
  expect(received.batches).toHaveLength(sent + 1);
  expect(publisher.state()).toMatchObject({ isSuperseded: false, stopped: null });
});

it.each([
  ["a restaurant's part is full", "10077", { max_msgs_per_subject: 1 }],
  ["the stream is full", "10077", { max_bytes: 1 }],
])("the publisher waits ever longer where %s, and continues in order [CHAIN-10]", async (_, code, full) => {
  const headquarters = await startChainHeadquarters();
  const { received } = headquarters;
  const restaurant = openRestaurant();
  await restaurant.save("Orden 1");
  const { publisher } = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  const { config } = await headquarters.manager().streams.info(chainSubjects.stream);
  await headquarters.manager().streams.update(chainSubjects.stream, { ...config, ...full });
  await restaurant.save("Orden 2");
  await until("it is refused", () => publisher.state().stopped?.error.includes(code));
  await restaurant.save("Orden 3");
  await headquarters.manager().streams.update(chainSubjects.stream, config);
  await arrives(restaurant, headquarters);
  await until("it goes on", () => publisher.state().stopped === null);
  expect(received.counts).toMatchObject({ gaps: 0, quarantined: 0 });
});

it("the hub may publish and subscribe only to its own subjects [CHAIN-11]", async () => {
  const headquarters = await startChainHeadquarters();
  const restaurant = openRestaurant();
  await restaurant.save("Orden 1");
  const { connection } = await publish(restaurant, headquarters);
  await arrives(restaurant, headquarters);
  const subjects = [
    chainSubjects.batches("other"),
    chainSubjects.cursor(headquarters.restaurantId),
    "$JS.API.STREAM.INFO.UP",
    "$JS.API.CONSUMER.CREATE.UP",
    "$KV.desired.r001",
  ];
  for (const subject of subjects) {
    await expect(connection.request(subject, "{}", { timeout: 300, headers: nats.headers() })).rejects.toThrow();
  }
});

it("changes are gathered while headquarters are away, and sent when they are back [CHAIN-31]", async () => {
  const restaurant = openRestaurant();
  for (let n = 0; n < 250; n += 1) await restaurant.save(`Orden ${n}`);
  const clock = manualClock();
  const sent: SentPlace[] = [];
  let areAway = false;
  const cursor = (): ChainCursor => {
    const place = sent.at(-1);
    return place === undefined ? noCursor : { ...place, generation: 0, isFullDone: true };
  };
  const publisher = createPublisher({
    world: { ...world, ...clock.world },
    source: restaurant.source,
    line: {
      isUp: () => true,
      askCursor: async () => (areAway ? null : cursor()),
      lastSent: async () => sent.at(-1) ?? null,
      publish: async (_payload, place) => void sent.push(readSentPlace(place) ?? noCursor),
    },
    restaurantId: "r1",
    historyDays: 45,
    // No pause after a batch: this test's clock stands still.
    kbps: Infinity,
    onState: () => {},
  });
  onTestFinished(() => publisher.stop());
  restaurant.changes.addListener(publisher.wake);
  publisher.start();
  await until("the full transfer is here", () => cursor().seq === restaurant.source.newestSeq());
  publisher.listener.onCursor(cursor());
  areAway = true;
  const batches: number[] = [];
  for (let minute = 0; minute < 60; minute += 1) {
    const before = sent.length;
    for (let second = 0; second < 60; second += 2) {
      await restaurant.save(`Orden ${second % 6}`);
      for (const ms of [1_900, 100]) {
        clock.advance(ms);
        // Lets a run in progress end.
        for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      }
    }
    batches.push(sent.length - before);
  }
  const within = (from: number, to: number): number => batches.slice(from, to).reduce((sum, each) => sum + each, 0);
  // 1,800 changes, and never more than five minutes without a batch.
  expect(within(0, 10)).toBeLessThan(80);
  expect(within(10, 60)).toBeLessThan(40);
  for (let minute = 0; minute < 54; minute += 1) expect(within(minute, minute + 6)).toBeGreaterThan(0);
  expect(cursor().seq).toBeLessThan(restaurant.source.newestSeq());
  // A requested resend is sent whole, even while a change waits.
  const again = sent.length;
  publisher.listener.onResend({ ...cursor(), seq: 1 });
  await until("it is sent again", () => sent.length > again + 1);
  await restaurant.save("Orden 0");
  publisher.listener.onCursor(cursor());
  clock.advance(1_000);
  await until("what waited is sent", () => cursor().seq === restaurant.source.newestSeq());
});

import { cpSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Queries } from "../db/database.ts";
import { EVENING } from "./evening.ts";
import { differences } from "./differences.ts";
import { endProgram, startProgram } from "./headquarters-program.ts";
import { missingNats } from "./nats-server.ts";
import { type Faults, SimulatedHub } from "./simulated-hub.ts";
import { randomFrom, SimulatedRestaurant } from "./simulated-restaurant.ts";
import {
  connectAs,
  startTestHeadquarters,
  type TestHeadquarters,
  type TestRestaurant,
} from "./start-test-headquarters.ts";
import { testFolder } from "./test-folder.ts";

/** Waits until headquarters have confirmed everything. Fails once nothing has moved for `stillMs`. */
async function done(hub: SimulatedHub, stillMs = 25_000): Promise<void> {
  while (!hub.isDone()) {
    const before = hub.progress();
    await vi.waitUntil(() => hub.isDone() || hub.progress() !== before, { timeout: stillMs, interval: 20 });
  }
}

async function expectNothingLost(database: Queries, restaurants: readonly SimulatedRestaurant[]): Promise<void> {
  for (const restaurant of restaurants) expect(await differences(database, restaurant)).toEqual([]);
  expect(restaurants.some((restaurant) => restaurant.expected().paidCents > 0)).toBe(true);
}

/** Starts a hub that sends for the restaurant until the test ends. */
async function hubOf(
  simulated: SimulatedRestaurant,
  { url, seed, ...options }: { url: string; seed: Uint8Array; faults?: Partial<Faults>; objects?: number },
): Promise<SimulatedHub> {
  const connection = await connectAs(url, simulated.id, seed);
  const hub = new SimulatedHub(simulated, connection, options).start();
  onTestFinished(async () => {
    await hub.stop();
    await connection.close();
  });
  return hub;
}

describe.skipIf(missingNats !== null)("faults between hubs and headquarters", () => {
  let headquarters: TestHeadquarters;
  beforeAll(async () => {
    headquarters = await startTestHeadquarters();
  });
  afterAll(async () => headquarters?.stop());

  async function restaurant(options: { faults?: Partial<Faults>; objects?: number; seed?: number } = {}) {
    const enrolled = await headquarters.addRestaurant();
    const simulated = new SimulatedRestaurant(enrolled.id, `hub-${enrolled.id}`, options.seed ?? 3, EVENING);
    const url = headquarters.nats.publicUrl;
    const connect = (as = simulated) => hubOf(as, { ...options, url, seed: enrolled.seed });
    return { enrolled, simulated, connect };
  }

  it("nothing is lost or doubled when batches repeat, overlap or are lost, and acknowledgements are lost [HQ-30, HQ-31]", async () => {
    const faults = { twice: 0.3, overlap: 0.3, lostAck: 0.2, skipped: 0.1 };
    const all = await Promise.all([1, 2, 3].map((seed) => restaurant({ faults, objects: 20, seed })));
    const hubs = await Promise.all(all.map(({ simulated, connect }) => (simulated.steps(100), connect())));
    for (let n = 0; n < 15; n += 1) {
      for (const { simulated } of all) simulated.steps(10);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    for (const hub of hubs) await done(hub);
    await expectNothingLost(
      headquarters.database,
      all.map(({ simulated }) => simulated),
    );
  });

  it("a hub that is killed again and again begins an epoch each time, without a full transfer [HQ-32]", async () => {
    const { simulated, connect, enrolled } = await restaurant({ objects: 20 });
    simulated.steps(100);
    const hub = await connect();
    await done(hub);
    for (let n = 0; n < 10; n += 1) {
      simulated.steps(7);
      simulated.crash();
      simulated.steps(3);
      await done(hub);
    }
    await expectNothingLost(headquarters.database, [simulated]);
    const [cursor] = await headquarters.database.query("SELECT full_id FROM cursors WHERE restaurant_id = $1", [
      enrolled.id,
    ]);
    expect(cursor).toEqual({ full_id: 1 });
  });

  it("nothing is lost or doubled after a restore to an older state while the replaced hub still sends [HQ-32, HQ-38]", async () => {
    const { simulated, connect, enrolled } = await restaurant({ objects: 20 });
    simulated.steps(100);
    const backup = simulated.backup();
    simulated.steps(60);
    const before = await connect();
    await done(before);

    const zombie = new SimulatedRestaurant(enrolled.id, simulated.hubId, 99, EVENING + 3_600_000);
    zombie.continueFrom(simulated);
    await before.stop();
    simulated.restore(backup);
    const hub = await connect();
    const replaced = await connect(zombie);
    for (let n = 0; n < 5; n += 1) {
      simulated.steps(10);
      zombie.steps(10);
      await done(hub);
    }
    await vi.waitUntil(() => replaced.isSuperseded || !replaced.isDone(), { timeout: 10_000 });
    await expectNothingLost(headquarters.database, [simulated]);
    const [removed] = await headquarters.database.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM checks WHERE restaurant_id = $1 AND is_gone",
      [enrolled.id],
    );
    expect(removed?.count).toBeGreaterThan(0);
  });

  it("of two hubs of one generation that claim a restaurant, the first one stays [HQ-38, HQ-208]", async () => {
    const { simulated, connect, enrolled } = await restaurant({ objects: 20 });
    simulated.steps(80);
    const twin = new SimulatedRestaurant(enrolled.id, simulated.hubId, 77, EVENING);
    twin.continueFrom(simulated);
    simulated.crash();
    twin.crash();
    simulated.steps(20);
    const hub = await connect();
    await done(hub);
    twin.steps(40);
    await connect(twin);
    const refused = () =>
      headquarters.database.query<{ reason: string }>("SELECT reason FROM quarantine WHERE restaurant_id = $1", [
        enrolled.id,
      ]);
    await vi.waitUntil(async () => (await refused()).length > 0, { timeout: 15_000, interval: 50 });
    expect((await refused())[0]?.reason).toContain("two histories");
    expect(
      await headquarters.database.query("SELECT rival_at FROM cursors WHERE restaurant_id = $1", [enrolled.id]),
    ).toEqual([{ rival_at: expect.any(Date) }]);
    simulated.steps(40);
    await done(hub);
    await expectNothingLost(headquarters.database, [simulated]);
  });

  it("nothing is lost or doubled when the stream is emptied and NATS is killed and loses its store [HQ-39]", async () => {
    const { simulated, connect } = await restaurant({ objects: 20 });
    simulated.steps(100);
    const hub = await connect();
    await done(hub);
    const manager = await jetstreamManager(headquarters.nats.connection);
    for (let n = 0; n < 5; n += 1) {
      simulated.steps(10);
      await manager.streams.purge(chainSubjects.stream);
    }
    await done(hub);
    for (const isStoreKept of [true, false]) {
      simulated.steps(30);
      const pidFile = path.join(headquarters.folder, "nats/nats.pid");
      const pid = readFileSync(pidFile, "utf8");
      process.kill(Number(pid), "SIGKILL");
      if (!isStoreKept) rmSync(path.join(headquarters.folder, "nats/store"), { recursive: true, force: true });
      simulated.steps(30);
      await vi.waitUntil(() => readFileSync(pidFile, "utf8") !== pid, { timeout: 20_000 });
      await done(hub);
    }
    await expectNothingLost(headquarters.database, [simulated]);
  });
});

/** Creates a folder with restaurants, for headquarters that tests start and kill. */
async function prepareFolder(count: number): Promise<{ folder: string; url: string; restaurants: TestRestaurant[] }> {
  const folder = await testFolder();
  const first = await startTestHeadquarters({ HQ_DATA_DIR: folder });
  const restaurants: TestRestaurant[] = [];
  for (let n = 0; n < count; n += 1) restaurants.push(await first.addRestaurant());
  await first.stop();
  return { folder, url: first.nats.publicUrl, restaurants };
}

function simulate({ id }: TestRestaurant, seed: number): SimulatedRestaurant {
  return new SimulatedRestaurant(id, `hub-${id}`, seed, EVENING);
}

async function killRounds(rounds: number): Promise<void> {
  const { folder, url, restaurants } = await prepareFolder(3);
  const all = restaurants.map((each, index) => simulate(each, index + 1));
  const random = randomFrom(4);
  let program = startProgram({ HQ_DATA_DIR: folder });
  onTestFinished(() => endProgram(program));
  await program.url();
  const hubs = await Promise.all(
    all.map((simulated, index) => hubOf(simulated, { url, seed: restaurants[index]!.seed, objects: 20 })),
  );
  for (let round = 0; round < rounds; round += 1) {
    const until = performance.now() + 300 + random() * 1_200;
    while (performance.now() < until) {
      for (const simulated of all) simulated.steps(3);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    program.child.kill("SIGKILL");
    await program.ended;
    for (const simulated of all) simulated.steps(10);
    program = startProgram({ HQ_DATA_DIR: folder });
    await program.url();
  }
  for (const hub of hubs) await done(hub, 60_000);
  await endProgram(program);
  const last = await startTestHeadquarters({ HQ_DATA_DIR: folder });
  onTestFinished(() => last.stop());
  await expectNothingLost(last.database, all);
}

describe.skipIf(missingNats !== null)("faults of headquarters", () => {
  it("nothing is lost or doubled when headquarters are killed while they write [HQ-39]", { timeout: 120_000 }, () =>
    killRounds(2),
  );

  it(
    "nothing is lost or doubled when headquarters are killed twenty times [HQ-39]",
    { tags: "long", timeout: 600_000 },
    () => killRounds(20),
  );

  it(
    "nothing is lost or doubled when headquarters' database is restored from a backup [HQ-39]",
    { timeout: 120_000 },
    async () => {
      const { folder, url, restaurants } = await prepareFolder(1);
      const simulated = simulate(restaurants[0]!, 8);
      let current = await startTestHeadquarters({ HQ_DATA_DIR: folder });
      onTestFinished(() => current.stop());
      simulated.steps(60);
      const hub = await hubOf(simulated, { url, seed: restaurants[0]!.seed, objects: 20 });
      await done(hub);
      await current.stop();
      const database = path.join(folder, "database");
      cpSync(database, `${database}.backup`, { recursive: true });

      current = await startTestHeadquarters({ HQ_DATA_DIR: folder });
      simulated.steps(200);
      await done(hub);
      await current.stop();
      rmSync(database, { recursive: true });
      cpSync(`${database}.backup`, database, { recursive: true });
      current = await startTestHeadquarters({ HQ_DATA_DIR: folder });
      // The restaurant changes nothing that would make it send.
      await vi.waitFor(async () => expectNothingLost(current.database, [simulated]), {
        timeout: 40_000,
        interval: 200,
      });
    },
  );
});

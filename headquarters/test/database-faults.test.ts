import { setTimeout as pause } from "node:timers/promises";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { EVENING } from "./evening.ts";
import { differences } from "./differences.ts";
import { endProgram, startProgram } from "./headquarters-program.ts";
import { missingNats } from "./nats-server.ts";
import { missingPostgres, type PostgresServer, startPostgres } from "./postgres-server.ts";
import { SimulatedHub } from "./simulated-hub.ts";
import { randomFrom, SimulatedRestaurant } from "./simulated-restaurant.ts";
import { startTestHeadquarters, type TestHeadquarters } from "./start-test-headquarters.ts";
import { testFolder } from "./test-folder.ts";

/** Run more rounds with `FAULT_ROUNDS=200 FAULT_SEED=7 npx vitest run headquarters/test/database-faults.test.ts`. */
const ROUNDS = Number(process.env["FAULT_ROUNDS"] ?? 20);
const SEED = Number(process.env["FAULT_SEED"] ?? 1);

interface Sending {
  simulated: SimulatedRestaurant;
  hub: SimulatedHub;
}

describe.skipIf(missingNats !== null || missingPostgres !== null)("faults of a PostgreSQL server", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => postgres?.stop());

  let made = 0;
  async function emptyDatabase(): Promise<string> {
    const name = `chain${++made}`;
    await postgres.run("postgres", `CREATE DATABASE ${name}`);
    return name;
  }

  async function start(database: string, folder?: string): Promise<TestHeadquarters> {
    const HQ_DATA_DIR = folder ?? (await testFolder());
    const headquarters = await startTestHeadquarters({ HQ_DATABASE_URL: postgres.url(database), HQ_DATA_DIR });
    onTestFinished(() => headquarters.stop());
    return headquarters;
  }

  /** Starts restaurants that send until the test ends. */
  async function restaurants(headquarters: TestHeadquarters, count: number): Promise<Sending[]> {
    const all: Sending[] = [];
    for (let n = 0; n < count; n += 1) {
      const enrolled = await headquarters.addRestaurant();
      const simulated = new SimulatedRestaurant(enrolled.id, `hub-${enrolled.id}`, SEED + n, EVENING);
      simulated.steps(60);
      const connection = await enrolled.connect();
      const hub = new SimulatedHub(simulated, connection, { faults: { twice: 0.2 }, objects: 20 }).start();
      onTestFinished(async () => {
        await hub.stop();
        await connection.close();
      });
      all.push({ simulated, hub });
    }
    return all;
  }

  async function expectNothingLost(headquarters: TestHeadquarters, all: readonly Sending[]): Promise<void> {
    for (const { hub } of all) await vi.waitUntil(() => hub.isDone(), { timeout: 100_000, interval: 20 });
    for (const { simulated } of all) expect(await differences(headquarters.database, simulated)).toEqual([]);
    expect(all.every(({ simulated }) => simulated.expected().paidCents > 0)).toBe(true);
  }

  async function away(how: "fast" | "immediate"): Promise<void> {
    const headquarters = await start(await emptyDatabase());
    const all = await restaurants(headquarters, 3);
    await expectNothingLost(headquarters, all);
    const streams = await headquarters.streams();
    const inStream = async () => (await streams.info(chainSubjects.stream)).state.messages;
    const before = { messages: await inStream(), lines: headquarters.logged.length };
    for (const { simulated } of all) simulated.steps(10);
    await postgres.stop(how);
    const from = performance.now();
    while ((await inStream()) < before.messages + 20 || performance.now() - from < 2_000) {
      for (const { simulated } of all) simulated.steps(2);
      await pause(50);
    }
    const messages = headquarters.logged.slice(before.lines).flatMap((line) => {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      return level > 20 ? [msg] : [];
    });
    await postgres.start();
    await expectNothingLost(headquarters, all);
    expect(messages.length).toBeGreaterThan(0);
    expect(messages).toEqual([...new Set(messages)]);
  }

  it("nothing is lost or doubled while PostgreSQL is down for seconds [HQ-39, HQ-42]", () => away("fast"));

  it("nothing is lost or doubled after PostgreSQL has crashed [HQ-39, HQ-42]", { tags: "long" }, () =>
    away("immediate"),
  );

  /** Resolves at a random moment of one of headquarters' write transactions on `database`. */
  async function midTransaction(database: string, all: readonly Sending[], random: () => number): Promise<void> {
    // Keeps a restaurant changing until a transaction is seen.
    const changing = setInterval(() => all[0]?.simulated.step(), 200);
    try {
      // The server polls itself every millisecond; polling from this process is too slow on a busy machine.
      await postgres.run(
        "postgres",
        `DO $$ BEGIN
           FOR look IN 1 .. 60000 LOOP
             PERFORM pg_stat_clear_snapshot();
             IF EXISTS (SELECT FROM pg_stat_activity WHERE datname = '${database}' AND backend_xid IS NOT NULL) THEN
               RETURN;
             END IF;
             PERFORM pg_sleep(0.001);
           END LOOP;
           RAISE 'headquarters write nothing';
         END $$`,
      );
    } finally {
      clearInterval(changing);
    }
    await pause(random() * 12);
  }

  async function cutRounds(rounds: number): Promise<void> {
    const name = await emptyDatabase();
    const headquarters = await start(name);
    const all = await restaurants(headquarters, 3);
    const random = randomFrom(SEED);
    let cut = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const { simulated } of all) simulated.steps(3);
      await midTransaction(name, all, random);
      const ended = await postgres.run<{ isWriting: boolean }>(
        "postgres",
        `SELECT pg_terminate_backend(pid), backend_xid IS NOT NULL AS "isWriting" FROM pg_stat_activity
         WHERE datname = '${name}'`,
      );
      if (ended.some(({ isWriting }) => isWriting)) cut += 1;
    }
    await expectNothingLost(headquarters, all);
    expect(cut).toBeGreaterThan(rounds / 5);
  }

  it("nothing is lost or doubled when headquarters' connections to PostgreSQL are cut [HQ-39, HQ-42]", () =>
    cutRounds(3));

  it(
    "nothing is lost or doubled when the connections to PostgreSQL are cut again and again [HQ-39, HQ-42]",
    { tags: "long", timeout: 600_000 },
    () => cutRounds(ROUNDS),
  );

  async function killRounds(rounds: number): Promise<void> {
    const name = await emptyDatabase();
    const folder = await testFolder();
    const settings = { HQ_DATABASE_URL: postgres.url(name), HQ_DATA_DIR: folder };
    const first = await startTestHeadquarters(settings);
    const all = await restaurants(first, 3);
    await first.stop();
    let program = startProgram(settings);
    onTestFinished(() => endProgram(program));
    await program.url();
    const random = randomFrom(SEED);
    for (let round = 0; round < rounds; round += 1) {
      for (const { simulated } of all) simulated.steps(3);
      await midTransaction(name, all, random);
      program.child.kill("SIGKILL");
      await program.ended;
      for (const { simulated } of all) simulated.steps(3);
      program = startProgram(settings);
      await program.url();
    }
    for (const { hub } of all) await vi.waitUntil(() => hub.isDone(), { timeout: 100_000, interval: 20 });
    await endProgram(program);
    await expectNothingLost(await start(name, folder), all);
  }

  it(
    "nothing is lost or doubled when headquarters are killed in the middle of transactions of PostgreSQL [HQ-39]",
    { tags: "long", timeout: 900_000 },
    () => killRounds(ROUNDS / 2),
  );

  it(
    "nothing is lost or doubled when PostgreSQL is restored from yesterday and the stream lacks the time since [HQ-39]",
    { tags: "long" },
    async () => {
      const name = await emptyDatabase();
      const folder = await testFolder();
      const first = await start(name, folder);
      const all = await restaurants(first, 2);
      await expectNothingLost(first, all);
      await first.stop();
      await postgres.run("postgres", `CREATE DATABASE ${name}_yesterday TEMPLATE ${name}`);

      const second = await start(name, folder);
      for (const { simulated } of all) simulated.steps(200);
      await expectNothingLost(second, all);
      await (await second.streams()).purge(chainSubjects.stream);
      await second.stop();

      // No restaurant changes anything that would make it send.
      const third = await start(`${name}_yesterday`, folder);
      const facts = "SELECT count(*)::int AS count FROM checks";
      const before = await third.database.query(facts);
      await vi.waitFor(async () => expectNothingLost(third, all), { timeout: 40_000, interval: 200 });
      expect(await third.database.query(facts)).not.toEqual(before);
    },
  );
});

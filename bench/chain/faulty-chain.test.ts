import { setTimeout as pause } from "node:timers/promises";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startCuttableLine } from "../../headquarters/test/cuttable-line.ts";
import { missingNats } from "../../headquarters/test/nats-server.ts";
import { missingPostgres, startPostgres } from "../../headquarters/test/postgres-server.ts";
import { randomFrom } from "../../headquarters/test/simulated-restaurant.ts";
import {
  startTestHeadquarters,
  type TestHeadquarters,
  type TestRestaurant,
} from "../../headquarters/test/start-test-headquarters.ts";
import { chainSubjects } from "../../protocol/src/headquarters/chain.ts";
import { restaurantClock } from "@comanda/protocol";
import { compareFleet, type Disturb, simulateChanges, type SimulatedMember, startFleet } from "./simulated-fleet.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const NOTHING = { lost: 0, doubled: 0, sums: 0 };

async function transfersOf({ database }: TestHeadquarters, restaurant: string): Promise<number | undefined> {
  const [cursor] = await database.query<{ fullId: number }>(
    `SELECT full_id AS "fullId" FROM cursors WHERE restaurant_id = $1`,
    [restaurant],
  );
  return cursor?.fullId;
}

describe.skipIf(missingNats !== null)("publisher and headquarters", () => {
  let headquarters: TestHeadquarters;
  beforeAll(async () => {
    headquarters = await startTestHeadquarters();
  });
  afterAll(async () => headquarters?.stop());

  /** Starts a restaurant that is connected to headquarters until the end of the test. */
  async function startMember(
    options: { disturb?: Disturb; url?: string; kbps?: number } = {},
  ): Promise<SimulatedMember> {
    const enrolled = await headquarters.addRestaurant();
    const url = options.url ?? headquarters.nats.publicUrl;
    const [member] = await startFleet([enrolled], { seed: 5, kbps: 5_000, history: 40, ...options, url });
    if (member === undefined) throw new Error("there is no restaurant");
    onTestFinished(() => member.stop());
    await done(member);
    return member;
  }

  const done = (each: SimulatedMember, timeout = 25_000) =>
    vi.waitUntil(() => each.isDone(), { timeout, interval: 20 });

  /** Waits for all messages, including each restaurant's last one, which updates the age of headquarters' copy. */
  const allApplied = async (): Promise<void> => {
    const { state } = await (await headquarters.streams()).info(chainSubjects.stream);
    await vi.waitUntil(
      async () => {
        const rows = await headquarters.database.query<{ seq: number }>("SELECT seq FROM stream_position");
        return rows.some(({ seq }) => Number(seq) >= state.last_seq);
      },
      { timeout: 25_000, interval: 20 },
    );
  };

  const transfers = ({ restaurant: { id } }: SimulatedMember) => transfersOf(headquarters, id);

  it("applied messages that fill a restaurant's part of the stream make room for new ones [HQ-43]", async () => {
    const member = await startMember();
    const streams = await headquarters.streams();
    const { config } = await streams.info(chainSubjects.stream);
    onTestFinished(async () => void (await streams.update(config.name, config)));
    await streams.update(config.name, { ...config, max_msgs_per_subject: 4 });
    for (let n = 0; n < 5; n += 1) {
      member.makeChanges(2);
      await done(member);
    }
    expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
  });

  it("applied messages that fill the whole stream make room for new ones [HQ-43]", { tags: "long" }, async () => {
    const member = await startMember();
    const streams = await headquarters.streams();
    const { config, state } = await streams.info(chainSubjects.stream);
    onTestFinished(async () => void (await streams.update(config.name, config)));
    await streams.update(config.name, { ...config, max_bytes: state.bytes + 6_000 });
    for (let n = 0; n < 4; n += 1) {
      member.makeChanges(20);
      await done(member);
    }
    expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
  });

  it("an unstable connection loses and duplicates nothing [HQ-30, CHAIN-2]", async () => {
    const line = await startCuttableLine(headquarters.nats.publicUrl);
    onTestFinished(line.cut);
    const member = await startMember({ url: line.url });
    for (let n = 0; n < 4; n += 1) {
      member.makeChanges(10);
      await pause(n * 120);
      await line.cut();
      member.makeChanges(10);
      await pause(100);
      await line.mend();
      await vi.waitUntil(() => member.isUp(), { timeout: 20_000, interval: 5 });
    }
    await done(member);
    expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
    expect(await transfers(member)).toBe(1);
  });

  it("a restaurant catches up after three days without a connection [CHAIN-2, HQ-30]", { tags: "long" }, async () => {
    const line = await startCuttableLine(headquarters.nats.publicUrl);
    onTestFinished(line.cut);
    const member = await startMember({ url: line.url });
    await line.cut();
    await vi.waitUntil(() => !member.isUp(), { timeout: 10_000 });
    member.makeChanges(10_800);
    await line.mend();
    await done(member, 60_000);
    expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
    expect(await transfers(member)).toBe(1);
  });

  it("days that a restaurant no longer has when it reconnects are recorded as missing [HQ-46]", async () => {
    const line = await startCuttableLine(headquarters.nats.publicUrl);
    onTestFinished(line.cut);
    const member = await startMember({ url: line.url });
    const { id, history } = member.restaurant;
    await line.cut();
    await vi.waitUntil(() => !member.isUp(), { timeout: 10_000 });
    await allApplied();
    const copiedAt = new Date(Date.now() - 400 * DAY);
    await headquarters.database.query("UPDATE cursors SET copy_of = $2 WHERE restaurant_id = $1", [id, copiedAt]);
    member.makeChanges(40);
    member.restaurant.lowWater = history.seq - 5;
    await line.mend();
    await done(member);
    expect(await transfers(member)).toBe(2);
    expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
    const holes = await headquarters.database.query("SELECT cause FROM holes WHERE restaurant_id = $1", [id]);
    const { day } = restaurantClock("America/Santo_Domingo");
    const [from, to] = [day(copiedAt.getTime()), day(Date.now() - 45 * DAY)];
    expect(holes).toEqual([{ cause: { kind: "not_sent", from, to } }]);
  });

  it(
    "each batch is applied once, though it arrives twice, late, out of sequence and without acknowledgement [HQ-30]",
    { tags: "long" },
    async () => {
      const sent: [Uint8Array, string][] = [];
      let isLost = true;
      const member = await startMember({
        disturb: (line) => ({
          ...line,
          async publish(payload, subject) {
            sent.push([payload, subject]);
            await line.publish(payload, subject);
            for (const earlier of sent.slice(-3).toReversed()) await line.publish(...earlier);
            isLost = !isLost;
            if (!isLost) throw new Error("the acknowledgement was lost");
          },
        }),
      });
      for (let n = 0; n < 4; n += 1) {
        member.makeChanges(20);
        await done(member);
      }
      expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
    },
  );

  it("publishing continues from headquarters' position when no acknowledgement of the stream arrives [CHAIN-28]", async () => {
    let isLosing = false;
    const member = await startMember({
      disturb: (line) => ({
        ...line,
        async publish(payload, subject) {
          await line.publish(payload, subject);
          if (isLosing) throw new Error("the acknowledgement was lost");
        },
      }),
    });
    isLosing = true;
    // More than one batch holds: a publisher that resent the same batch would never finish.
    member.makeChanges(300);
    await done(member);
    expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
  });

  it(
    "everything from a newer hub is applied once, when headquarters are updated [HQ-36]",
    { tags: "long" },
    async () => {
      let isNewer = false;
      let refused = 0;
      const member = await startMember({
        disturb: (line) => ({
          ...line,
          publish(payload, subject) {
            if (!isNewer) return line.publish(payload, subject);
            refused += 1;
            const batch = JSON.parse(zstdDecompressSync(payload).toString()) as object;
            return line.publish(zstdCompressSync(JSON.stringify({ ...batch, v: 2 })), subject);
          },
        }),
      });
      isNewer = true;
      await vi.waitUntil(() => (member.makeChanges(3), refused > 4), { timeout: 20_000, interval: 100 });
      expect(member.isDone()).toBe(false);
      isNewer = false;
      // The next change makes headquarters ask again.
      for (let n = 0; n < 10 && !member.isDone(); n += 1) {
        member.makeChanges(1);
        await done(member, 2_500).catch(() => undefined);
      }
      await done(member);
      expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
      expect(await transfers(member)).toBe(1);
    },
  );

  it("no clock affects what is applied, neither headquarters' nor a restaurant's that jumps [HQ-44]", async () => {
    const member = await startMember();
    onTestFinished(() => void (headquarters.clock.ahead = 0));
    for (const [ahead, jump] of [
      [3 * HOUR, -YEAR],
      [-2 * YEAR, YEAR + 3 * HOUR],
      [0, -3 * HOUR],
    ] as const) {
      headquarters.clock.ahead = ahead;
      member.restaurant.jump(jump);
      member.makeChanges(40);
      await done(member);
    }
    expect(await compareFleet(headquarters.database, [member])).toEqual(NOTHING);
    const hours = await headquarters.database.query<{ year: number }>(
      `SELECT DISTINCT extract(year FROM hour AT TIME ZONE 'UTC')::int AS year FROM sales_hours
       WHERE restaurant_id = $1 AND checks > 0 ORDER BY year`,
      [member.restaurant.id],
    );
    // The restaurant itself has them in these files.
    const year = new Date().getUTCFullYear();
    expect(hours).toEqual([{ year: year - 1 }, { year }]);
  });
});

/** `AWAY_SECONDS=600 npx vitest run bench/chain -t "is away"` simulates an outage of realistic length. */
const AWAY_SECONDS = Number(process.env["AWAY_SECONDS"] ?? 30);

describe.skipIf(missingNats !== null || missingPostgres !== null)("publishers and PostgreSQL", () => {
  it(
    "nothing is lost or duplicated while PostgreSQL is away, and headquarters are complete soon after [HQ-39, HQ-42]",
    { tags: "long", timeout: AWAY_SECONDS * 1_000 + 200_000 },
    async () => {
      const postgres = await startPostgres();
      onTestFinished(() => postgres.stop());
      await postgres.run("postgres", "CREATE DATABASE chain");
      const headquarters = await startTestHeadquarters({ HQ_DATABASE_URL: postgres.url("chain") });
      onTestFinished(() => headquarters.stop());
      const enrolled: TestRestaurant[] = [];
      for (let n = 0; n < 8; n += 1) enrolled.push(await headquarters.addRestaurant());
      const url = headquarters.nats.publicUrl;
      const members = await startFleet(enrolled, { seed: 5, kbps: 5_000, history: 40, url });
      for (const each of members) onTestFinished(() => each.stop());
      const allDone = () =>
        vi.waitUntil(() => members.every((each) => each.isDone()), { timeout: 120_000, interval: 20 });
      await allDone();
      const streams = await headquarters.streams();
      const inStream = async () => (await streams.info(chainSubjects.stream)).state.messages;
      const health = async () => (await fetch(`${headquarters.url}/health`)).status;
      const before = { messages: await inStream(), lines: headquarters.logged.length };

      await postgres.stop("fast");
      await simulateChanges(members, { seconds: AWAY_SECONDS, rate: 1, random: randomFrom(5) });
      expect(await health()).toBe(503);
      expect((await inStream()) - before.messages).toBeGreaterThan(members.length);
      await postgres.start();
      await allDone();
      expect(await compareFleet(headquarters.database, members)).toEqual(NOTHING);
      expect(await health()).toBe(200);
      // Each failing part logs one line when the outage begins, however often it retries, and one when it ends.
      const warnings = headquarters.logged.slice(before.lines).flatMap((line) => {
        const { level, msg, component } = JSON.parse(line) as { level: number; msg: string; component?: string };
        return level > 20 ? [`${component ?? ""} ${msg}`] : [];
      });
      expect(warnings).toContain("ingest batches are applied again");
      expect(warnings).toEqual([...new Set(warnings)]);
      for (const { restaurant } of members) expect(await transfersOf(headquarters, restaurant.id)).toBe(1);
    },
  );
});

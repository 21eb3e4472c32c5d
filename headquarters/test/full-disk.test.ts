// @module-tag long
import { cpSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { EVENING } from "./evening.ts";
import { differences } from "./differences.ts";
import { missingNats } from "./nats-server.ts";
import { SimulatedHub } from "./simulated-hub.ts";
import { SimulatedRestaurant } from "./simulated-restaurant.ts";
import { missingPostgres, startPostgres } from "./postgres-server.ts";
import { missingMount, mountSmallDisk } from "./small-disk.ts";
import { startTestHeadquarters, type TestHeadquarters } from "./start-test-headquarters.ts";
import { emptyFolder, testFolder } from "./test-folder.ts";

interface Sending {
  simulated: SimulatedRestaurant;
  hub: SimulatedHub;
}

/** Starts a restaurant that sends until the test ends. */
async function sending(headquarters: TestHeadquarters): Promise<Sending> {
  const enrolled = await headquarters.addRestaurant();
  const simulated = new SimulatedRestaurant(enrolled.id, `hub-${enrolled.id}`, 4, EVENING);
  simulated.steps(60);
  const connection = await enrolled.connect();
  const hub = new SimulatedHub(simulated, connection, { objects: 20 }).start();
  onTestFinished(async () => {
    await hub.stop();
    await connection.close();
  });
  return { simulated, hub };
}

const done = (hub: SimulatedHub) => vi.waitUntil(() => hub.isDone(), { timeout: 150_000, interval: 50 });

/** Fills the disk for a while during which the restaurant continues. */
async function fill(disk: ReturnType<typeof mountSmallDisk>, { simulated, hub }: Sending): Promise<void> {
  await done(hub);
  disk.fill();
  for (let n = 0; n < 60; n += 1) {
    simulated.steps(20);
    await pause(100);
  }
  expect(hub.isDone()).toBe(false);
  disk.clear();
}

async function expectNothingLost(headquarters: TestHeadquarters, { simulated, hub }: Sending): Promise<void> {
  simulated.steps(20);
  await done(hub);
  expect(await differences(headquarters.database, simulated)).toEqual([]);
}

const refused = "batches cannot be applied";

describe.skipIf(missingNats !== null || missingMount !== null)("full disks", () => {
  it("a full disk under the stream loses and doubles nothing [HQ-234, HQ-39]", { timeout: 240_000 }, async () => {
    const folder = await testFolder();
    const disk = mountSmallDisk(path.join(folder, "nats/store"), 4);
    onTestFinished(disk.unmount);
    const headquarters = await startTestHeadquarters({ HQ_DATA_DIR: folder });
    onTestFinished(() => headquarters.stop());
    const restaurant = await sending(headquarters);
    await fill(disk, restaurant);
    await expectNothingLost(headquarters, restaurant);
  });

  it(
    "a full disk under the embedded database loses and doubles nothing [HQ-39, HQ-42]",
    { timeout: 240_000 },
    async () => {
      const folder = emptyFolder();
      const disk = mountSmallDisk(path.join(folder, "database"), 120);
      onTestFinished(disk.unmount);
      cpSync(path.join(await testFolder(), "database"), path.join(folder, "database"), { recursive: true });
      const headquarters = await startTestHeadquarters({ HQ_DATA_DIR: folder });
      onTestFinished(() => headquarters.stop());
      const restaurant = await sending(headquarters);
      await fill(disk, restaurant);
      expect(headquarters.logged.join("")).toContain(refused);
      await expectNothingLost(headquarters, restaurant);
    },
  );

  it.skipIf(missingPostgres !== null)(
    "a full disk under PostgreSQL loses and doubles nothing [HQ-39, HQ-42]",
    { timeout: 240_000 },
    async () => {
      const home = emptyFolder();
      const disk = mountSmallDisk(home, 160);
      onTestFinished(disk.unmount);
      const postgres = await startPostgres(home);
      onTestFinished(() => postgres.stop("immediate"));
      await postgres.run("postgres", "CREATE DATABASE chain");
      const headquarters = await startTestHeadquarters({ HQ_DATABASE_URL: postgres.url("chain") });
      onTestFinished(() => headquarters.stop());
      const restaurant = await sending(headquarters);
      await fill(disk, restaurant);
      expect(headquarters.logged.join("")).toContain(refused);
      // PostgreSQL exits if it cannot write its log, and its supervisor restarts it.
      await postgres.stop();
      await postgres.start();
      await expectNothingLost(headquarters, restaurant);
    },
  );
});

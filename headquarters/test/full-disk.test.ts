import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { differences } from "./differences.ts";
import { missingNats } from "./nats-server.ts";
import { SimulatedHub } from "./simulated-hub.ts";
import { SimulatedRestaurant } from "./simulated-restaurant.ts";
import { missingMount, mountSmallDisk } from "./small-disk.ts";
import { startTestHeadquarters, type TestHeadquarters } from "./start-test-headquarters.ts";
import { testFolder } from "./test-folder.ts";

const EVENING = Date.parse("2026-11-20T22:00:00Z");

/** A restaurant that sends until the test is over. */
async function sending(headquarters: TestHeadquarters): Promise<{ simulated: SimulatedRestaurant; hub: SimulatedHub }> {
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

describe.skipIf(missingNats !== null || missingMount !== null)("a full disk", () => {
  it("[HQ-234, HQ-39] under the stream loses and doubles nothing", { tags: "long", timeout: 240_000 }, async () => {
    const folder = await testFolder();
    const disk = mountSmallDisk(path.join(folder, "nats/store"), 4);
    onTestFinished(disk.unmount);
    const headquarters = await startTestHeadquarters({ HQ_DATA_DIR: folder });
    onTestFinished(() => headquarters.stop());
    const { simulated, hub } = await sending(headquarters);
    await done(hub);

    disk.fill();
    for (let n = 0; n < 60; n += 1) {
      simulated.steps(20);
      await pause(100);
    }
    expect(hub.isDone()).toBe(false);
    disk.clear();
    simulated.steps(20);
    await done(hub);
    expect(await differences(headquarters.database, simulated)).toEqual([]);
  });
});

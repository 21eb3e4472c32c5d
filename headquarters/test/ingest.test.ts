import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { differences } from "./differences.ts";
import { missingNats } from "./nats-server.ts";
import { type Faults, SimulatedHub } from "./simulated-hub.ts";
import { SimulatedRestaurant } from "./simulated-restaurant.ts";
import { startTestHeadquarters, type TestHeadquarters } from "./start-test-headquarters.ts";

const EVENING = Date.parse("2026-11-20T22:00:00Z");

describe.skipIf(missingNats !== null)("what restaurants send", () => {
  let headquarters: TestHeadquarters;
  beforeAll(async () => {
    headquarters = await startTestHeadquarters();
  });
  afterAll(async () => headquarters?.stop());

  /** A restaurant with a hub that sends, until the test is over. */
  async function restaurant(given: { faults?: Partial<Faults>; seed?: number; objects?: number } = {}) {
    const enrolled = await headquarters.addRestaurant();
    const simulated = new SimulatedRestaurant(enrolled.id, `hub-${enrolled.id}`, given.seed ?? 7, EVENING);
    const connect = async (): Promise<SimulatedHub> => {
      const connection = await enrolled.connect();
      const hub = new SimulatedHub(simulated, connection, given).start();
      onTestFinished(async () => {
        await hub.stop();
        await connection.close();
      });
      return hub;
    };
    return { enrolled, simulated, connect };
  }

  const done = (hub: SimulatedHub) => vi.waitUntil(() => hub.isDone(), { timeout: 20_000, interval: 20 });

  it("[HQ-30, HQ-33] has everything once, and every sum to the cent", async () => {
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
});

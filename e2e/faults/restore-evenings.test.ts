import { describe, expect, it } from "vitest";
import { moveHub } from "../../hub/test/move-hub.ts";
import { operatorOf } from "../../hub/test/operator.ts";
import { createService, ledgerOf } from "../../hub/test/restore-evening.ts";
import { backUp, lossesOf } from "../../hub/test/restore-steps.ts";
import { startTestHub, type TestHub } from "../../hub/test/start-test-hub.ts";
import { until } from "../../hub/test/until.ts";
import { createRandom } from "./random.ts";
import { openTablet } from "./tablets.ts";

/** `RESTORE_EVENINGS=200 npx vitest run e2e/faults/restore-evenings.test.ts` for longer; `RESTORE_SEED` repeats one. */
const evenings = Number(process.env["RESTORE_EVENINGS"] ?? 8);
const seed = process.env["RESTORE_SEED"];
const seeds = seed === undefined ? Array.from({ length: evenings }, (_, n) => `evening ${n}`) : [seed];
const STEPS = 25;

describe("an evening around a restore", () => {
  it.each(seeds)("[FAULT-50] has every dish and every peso again once all is recovered: %s", async (name) => {
    const random = createRandom(name);
    const hub = await startTestHub({ env: { HUB_FORWARD_INTERVAL_MS: "600000" } });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const service = createService(hub, name.replaceAll(" ", "-"), random);
    for (let step = 0; step < STEPS; step += 1) await service.step(till);
    const restore = await backUp(hub);
    for (let step = 0; step < STEPS; step += 1) await service.step(till);
    const before = await ledgerOf(hub);
    await restore();
    await recoverAll(hub);
    expect(await ledgerOf(hub)).toEqual(before);
    expect(service.acknowledged()).toBeGreaterThan(20);
  });

  it.each(seeds)("[FAULT-110] has them on another PC, which has the backup alone, too: %s", async (name) => {
    const evening = await playEvening(`pc ${name}`);
    const { hub, before } = evening;
    await evening.moveTo("another PC");
    await recoverAll(hub);
    expect(await ledgerOf(hub)).toEqual(before);
    await hasSettled(hub);
  });

  it.each(seeds)("[FAULT-111] has them on a hub that begins empty, or in the back-office, too: %s", async (name) => {
    const evening = await playEvening(`empty ${name}`);
    const { hub, before } = evening;
    await evening.moveTo("an empty start");
    await recoverAll(hub);
    await hasSettled(hub);
    const { checks, toCook, unapplied } = await ledgerOf(hub);
    const booked = await bookedBy(hub);
    const isBooked = ([posReference, check]: [string, { isPaid: boolean; total: number }]): boolean =>
      !(posReference in checks) && check.isPaid && booked.get(posReference) === check.total;
    const open = Object.entries(before.checks).filter((each) => !isBooked(each));
    expect([checks, toCook, unapplied]).toEqual([Object.fromEntries(open), before.toCook, before.unapplied]);
  });
});

/**
 * An evening with a backup in its midst, at which a till works, one tablet looks on until the end, and another until
 * some time before it.
 */
async function playEvening(seedOfIt: string) {
  const random = createRandom(seedOfIt);
  const hub = await startTestHub();
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  const service = createService(hub, `${seedOfIt}-${process.hrtime.bigint()}`.replaceAll(" ", "-"), random);
  const [present, away] = [await openTablet(hub, "present"), await openTablet(hub, "away")];
  const leavesAt = random.int(5, 2 * STEPS - 1);
  let backup = "";
  for (let step = 0; step < 2 * STEPS; step += 1) {
    if (step === STEPS) backup = (await operatorOf(hub)("makeBackup")).body.backup.name;
    if (step === leavesAt) {
      await away.hasHeardAll();
      await away.goAway();
    }
    await service.step(till);
  }
  await isForwarded(hub);
  await present.hasHeardAll();
  const before = await ledgerOf(hub);
  expect(service.acknowledged()).toBeGreaterThan(20);
  return {
    hub,
    before,
    /** All that the hub had is gone; the tablets find it again at its address, in any order. */
    async moveTo(place: "another PC" | "an empty start"): Promise<void> {
      await moveHub(hub, place === "another PC" ? backup : null);
      for (const tablet of random.chance(0.5) ? [away, present] : [present, away]) await tablet.hasOffered();
      await until("the back-office's word", async () => (await operatorOf(hub)("losses")).body.unasked === 0);
    },
  };
}

async function recoverAll(hub: TestHub): Promise<void> {
  const { refused } = (await operatorOf(hub)("takeOverLosses", { body: {} })).body;
  expect(refused).toEqual([]);
}

/** Nothing is left for a manager, or waits for the back-office. */
async function hasSettled(hub: TestHub): Promise<void> {
  await isForwarded(hub);
  expect([...(await lossesOf(hub)).values()]).toEqual([]);
  expect((await hub.send("GET", "/health")).body.reasons).toEqual([]);
}

async function isForwarded(hub: TestHub): Promise<void> {
  await until("everything is forwarded", async () => (await hub.send("GET", "/health")).body.pendingForward === 0);
}

/** The total of each check that the back-office has, once. */
async function bookedBy(hub: TestHub): Promise<Map<string, number>> {
  const { orders } = (await hub.backOffice.control("GET", "/orders")) as {
    orders: { posReference: string; status: string; total: number }[];
  };
  const paid = orders.filter(({ status }) => status === "paid");
  expect(new Set(paid.map(({ posReference }) => posReference)).size).toBe(paid.length);
  return new Map(paid.map(({ posReference, total }) => [posReference, total]));
}

import { describe, expect, it } from "vitest";
import { createRandom } from "./random.ts";
import { operatorOf } from "../../hub/test/operator.ts";
import { createService, ledgerOf } from "../../hub/test/restore-evening.ts";
import { backUp } from "../../hub/test/restore-steps.ts";
import { startTestHub } from "../../hub/test/start-test-hub.ts";

/** `RESTORE_EVENINGS=200 npx vitest run e2e/faults/restore-evenings.test.ts` for longer; `RESTORE_SEED` repeats one. */
const evenings = Number(process.env["RESTORE_EVENINGS"] ?? 8);
const seed = process.env["RESTORE_SEED"];
const seeds = seed === undefined ? Array.from({ length: evenings }, (_, n) => `evening ${n}`) : [seed];

describe("an evening around a restore", () => {
  it.each(seeds)("[FAULT-50] has every dish and every peso again once all is recovered: %s", async (name) => {
    const random = createRandom(name);
    const hub = await startTestHub({ env: { HUB_FORWARD_INTERVAL_MS: "600000" } });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const service = createService(hub, name.replaceAll(" ", "-"), random);
    for (let step = 0; step < 25; step += 1) await service.step(till);
    const restore = await backUp(hub);
    for (let step = 0; step < 25; step += 1) await service.step(till);
    const before = await ledgerOf(hub);
    await restore();
    const { refused } = (await operatorOf(hub)("takeOverLosses", { body: {} })).body;
    expect(refused).toEqual([]);
    expect(await ledgerOf(hub)).toEqual(before);
    expect(service.acknowledged()).toBeGreaterThan(20);
  });
});

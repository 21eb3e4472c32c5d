import type { HubMessageOf } from "@comanda/protocol";
import { pino } from "pino";
import { expect, it } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { manualClock } from "../../test/support/manual-clock.ts";
import { createStatusUpdates } from "./status-updates.ts";

it("a status sent at sign-in that ended at once is corrected [TERM-30]", async () => {
  const clock = manualClock();
  const world = { ...realWorld(pino({ level: "silent" })), ...clock.world };
  const status = { type: "HUB_STATUS", backOffice: "up", pendingForward: 0, attention: 0, diskLow: false } as const;
  let diskLow = false;
  const sent: boolean[] = [];
  const updates = createStatusUpdates(
    world,
    () => ({ ...status, diskLow }),
    (message) => sent.push((message as HubMessageOf<"HUB_STATUS">).diskLow),
  );
  async function later(): Promise<boolean[]> {
    clock.advance(5_000);
    await new Promise(setImmediate);
    return sent.splice(0);
  }
  updates.start();
  expect(await later()).toEqual([false]);
  expect(await later()).toEqual([]);
  diskLow = true;
  expect(updates.read()).toMatchObject({ diskLow: true });
  diskLow = false;
  expect(await later()).toEqual([false]);
  expect(updates.read()).toMatchObject({ diskLow: false });
  expect(await later()).toEqual([]);
});

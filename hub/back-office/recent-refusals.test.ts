import { pino } from "pino";
import { expect, it } from "vitest";
import { manualClock } from "../test/support/manual-clock.ts";
import { realWorld } from "../platform/world.ts";
import { createRecentRefusals } from "./recent-refusals.ts";

it("the last 2,000 refusals are remembered for ten seconds [BO-107]", () => {
  const clock = manualClock();
  const refusals = createRecentRefusals({ ...realWorld(pino({ level: "silent" })), ...clock.world });
  for (let n = 0; n <= 2_000; n += 1) refusals.note(`d${n}`);
  expect([refusals.has("d0"), refusals.has("d1"), refusals.has("d2000")]).toEqual([false, true, true]);
  clock.advance(6_000);
  refusals.note("d1");
  clock.advance(4_000);
  expect([refusals.has("d1"), refusals.has("d2000")]).toEqual([true, false]);
  refusals.forget("d1");
  expect(refusals.has("d1")).toBe(false);
});

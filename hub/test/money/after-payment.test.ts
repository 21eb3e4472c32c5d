import { expect, it } from "vitest";
import { checkCredit, checkDocuments } from "./after-payment-checks.ts";
import { startAfterPayment } from "./after-payment-walk.ts";
import { timeZone } from "./crashing-hub.ts";
import { checkBooks, checkDays, checkShifts } from "./days-checks.ts";

/** Run others with `AFTER_SEED=40 AFTER_RUNS=20 npx vitest run hub/test/money/after-payment.test.ts`. */
const SEED = Number(process.env["AFTER_SEED"] ?? 1);
const RUNS = Number(process.env["AFTER_RUNS"] ?? 3);

/** Walks through an evening, and compares all that is left of it. Returns how often each thing happened. */
async function walkThrough(seed: number, steps: number) {
  const walk = await startAfterPayment(seed);
  for (let n = 0; n < steps; n += 1) await walk.step();
  await walk.finish();
  await checkDocuments(walk);
  await checkCredit(walk);
  await checkBooks(walk);
  await checkShifts(walk);
  await checkDays(walk, timeZone);
  await walk.stop();
  return walk.actionCounts;
}

it("a short evening of failures after payments leaves nothing lost or doubled [TILL-315]", { timeout: 300_000 }, () =>
  walkThrough(7, 40),
);

it(
  "orders, numbers and notes reach the back-office once each, whatever fails after a payment [TILL-315]",
  { timeout: 3_600_000, tags: ["long"] },
  async () => {
    const counts = new Map<string, number>();
    for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
      const done = await walkThrough(seed, 120).catch((error: unknown) => {
        throw new Error(`AFTER_SEED=${seed} AFTER_RUNS=1`, { cause: error });
      });
      for (const [action, count] of done) counts.set(action, (counts.get(action) ?? 0) + count);
    }
    // Fewer than three runs may not cover every action.
    const kinds =
      RUNS < 3 ? [] : ["paid", "courtesy", "paid twice", "refund made", "refund pending", "killed", "skip done"];
    for (const kind of kinds) expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(0);
  },
);

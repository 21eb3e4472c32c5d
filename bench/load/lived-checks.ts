import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "../lib/bench.ts";
import type { StandIn } from "../lib/hub.ts";
import { connectYearTerminal } from "../year/terminal.ts";
import { benchSnapshot } from "./bench-order.ts";

/** Number of concurrent checks, and ms between a check's steps: some 20 writes a second, far above an evening's rate. */
const CHECKS_AT_ONCE = 8;
const STEP_MS = 400;

/**
 * Writes, sends and pays checks of 10 lines for the length of a round. Returns how long each answer took, in ms. `run` must be
 * different each time. With `areMarked` the kitchen marks each dish, as it does without printed slips.
 */
export async function liveChecks(
  bench: Bench,
  url: string,
  standIn: StandIn,
  { run, areMarked }: { run: string; areMarked: boolean },
): Promise<number[]> {
  const terminal = await connectYearTerminal(url, standIn.managerToken, run);
  const waits: number[] = [];
  const until = performance.now() + bench.flags.seconds * 1000;
  let checks = 0;

  async function step(change: Record<string, unknown>): Promise<number> {
    const startedAt = performance.now();
    const { version } = await terminal.change(change);
    waits.push(performance.now() - startedAt);
    await pause(STEP_MS);
    return version;
  }

  async function writeChecks(): Promise<void> {
    while (performance.now() < until) {
      const n = checks++;
      const posReference = `BENCH/${run}/${n}`;
      const snapshot = benchSnapshot(n, 1, null);
      const payments = [{ methodId: standIn.methodId, amount: snapshot.totals.total }];
      await step({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
      let baseVersion = await step({ type: "ORDER_SEND", posReference });
      for (const { id: lineId, quantity: preparedQuantity } of areMarked ? snapshot.lines : []) {
        baseVersion = await step({ type: "KITCHEN_BUMP", posReference, lineId, preparedQuantity });
      }
      await step({ type: "ORDER_PAY", posReference, baseVersion, payments });
    }
  }

  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, writeChecks));
  await terminal.close();
  return waits;
}

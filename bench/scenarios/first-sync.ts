import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import type { Bench } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { startHub, startStandIn } from "../lib/hub.ts";
import { benchSnapshot } from "../load/bench-order.ts";
import { connectYearTerminal, type YearTerminal } from "../year/terminal.ts";

/** More than one terminal may have open, so several terminals open them. */
const ORDERS = 4_000;
const OF_A_TERMINAL = 1_000;
const BATCH = 50;
const PING_EVERY_MS = 5;
const WRITE_EVERY_MS = 20;
/** Belongs to no history of this hub, so the answer contains everything. */
const NOWHERE = { hubId: "none", epoch: "none", seq: 0 };

/** Connects a terminal without state to a hub with thousands of open checks and tickets while others keep working. */
export async function firstSync(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const hub = await startHub(bench, { standIn });
  const orders = bench.flags.quick ? 400 : ORDERS;
  for (let from = 0; from < orders; from += OF_A_TERMINAL) {
    const terminal = await connectYearTerminal(hub.program.url, standIn.managerToken, `first-sync-${from}`);
    await openOrders(terminal, from, Math.min(orders, from + OF_A_TERMINAL));
    await terminal.close();
  }
  const till = await connectYearTerminal(hub.program.url, standIn.managerToken, "first-sync-till");
  const others = watchOthers(hub.program.url, till);
  // The first requests open connections and warm up the code.
  await pause(500);
  const idle: number[] = [];
  const waits: number[] = [];
  const took: number[] = [];
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    others.forget();
    await pause(1000);
    const atRest = others.longestMs();
    others.forget();
    const deviceId = `first-sync-new-${round}`;
    const result = await bench.load.run("resume", { target: hub.target, since: NOWHERE, deviceId });
    const longest = others.longestMs();
    if (result.mode !== "full" || result.orders < orders) {
      bench.fail(`first-sync: ${JSON.stringify(result)}, wanted a full SYNC of ${orders} orders`);
    }
    if (round === 0) continue;
    idle.push(atRest);
    waits.push(longest);
    took.push(result.tookMs);
  }
  await others.stop();
  await till.close();
  await Promise.all([hub.program.stop(), standIn.program.stop()]);
  const text = `first SYNC of ${orders.toLocaleString("en-US")} open orders with a ticket each`;
  return [
    figure({
      id: "first-sync.wait",
      text: `${text}: longest wait of others`,
      unit: "ms",
      ours: waits,
      goal: { of: "value", is: "at most", must: 50 },
    }),
    figure({ id: "first-sync.took", text: "the same: until the terminal has all of it", unit: "ms", ours: took }),
    figure({
      id: "first-sync.idle",
      text: "for comparison: longest wait while nothing is done for 1 s",
      unit: "ms",
      ours: idle,
    }),
  ];
}

async function openOrders(terminal: YearTerminal, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, to - first) }, (_, n) => first + n);
    const orders = numbers.map((n) => ({
      posReference: `OPEN/${n}`,
      baseVersion: 0,
      snapshot: benchSnapshot(n, 1, null),
    }));
    await terminal.change({ type: "ORDER_BATCH", orders });
    await Promise.all(orders.map(({ posReference }) => terminal.change({ type: "ORDER_SEND", posReference })));
  }
}

/** Measures the longest request or write of other clients, including one that is still in flight. */
function watchOthers(url: string, till: YearTerminal) {
  const pool = new Pool(url, { connections: 2 });
  const posReference = `TILL/${randomUUID()}`;
  let version = 0;
  let longest = 0;
  let isOver = false;
  const startedAt = new Map<string, number>();

  async function repeat(name: string, everyMs: number, once: () => Promise<void>): Promise<void> {
    while (!isOver) {
      startedAt.set(name, performance.now());
      await once();
      longest = Math.max(longest, performance.now() - (startedAt.get(name) ?? 0));
      startedAt.delete(name);
      await pause(everyMs);
    }
  }

  const watching = Promise.all([
    repeat("ping", PING_EVERY_MS, async () => {
      await (await pool.request({ method: "GET", path: "/health" })).body.dump();
    }),
    repeat("write", WRITE_EVERY_MS, async () => {
      const snapshot = benchSnapshot(9_999, version % 7, null);
      version = (await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: version, snapshot })).version;
    }),
  ]);
  // Awaited in `stop`; avoids an unhandled rejection.
  watching.catch(() => undefined);
  return {
    longestMs: (): number => Math.max(longest, ...[...startedAt.values()].map((at) => performance.now() - at)),
    forget(): void {
      longest = 0;
    },
    async stop(): Promise<void> {
      isOver = true;
      await watching;
      await pool.destroy();
    },
  };
}

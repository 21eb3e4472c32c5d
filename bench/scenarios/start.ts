import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type Bench, freshPath, startCompetitor } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { health, type StandIn, startFront, startHub, startStandIn } from "../lib/hub.ts";
import { schemaDigest } from "../lib/schema-digest.ts";
import { seedOrders } from "../servers/seed.ts";

const ORDERS = 100_000;

/** Measures the time from the start of the process until it serves, with 100,000 orders in its file. */
export async function start(bench: Bench): Promise<Figure[]> {
  const orders = bench.flags.quick ? ORDERS / 50 : ORDERS;
  const standIn = await startStandIn(bench);
  const dbPath = await storedOrders(bench, standIn, orders);
  const rawPath = freshPath(bench, "raw-open.db");
  seedOrders(rawPath, orders);
  const ours: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    const hub = await startHub(bench, { standIn, dbPath });
    await hub.program.stop();
    const raw = await startCompetitor(bench, "limit", { DB_PATH: rawPath });
    await raw.program.stop();
    if (round === 0) continue;
    ours.push(hub.program.startedInMs);
    beside.push(raw.program.startedInMs);
  }
  await standIn.program.stop();
  return [
    figure({
      id: "start",
      text: `start with ${orders.toLocaleString("en-US")} stored orders`,
      unit: "ms",
      ours,
      beside: { name: "raw open", values: beside },
      goal: { of: "ratio", is: "at most", must: 2 },
    }),
  ];
}

/** Returns a hub file with `orders` paid and forwarded orders, created by the hub itself and kept for later runs. */
async function storedOrders(bench: Bench, standIn: StandIn, orders: number): Promise<string> {
  const cached = join(bench.cacheFolder, `stored-${orders}-${schemaDigest()}.db`);
  if (existsSync(cached)) return cached;
  bench.note(`start: preparing a file with ${orders.toLocaleString("en-US")} stored orders, once`);
  const front = await startFront(standIn);
  const dbPath = `${cached}.new`;
  const hub = await startHub(bench, { standIn, erpUrl: front.url, dbPath, env: { HUB_FORWARD_BATCH_SIZE: "200" } });
  await bench.load.run("prepare", { target: hub.target, run: "stored", orders, methodId: standIn.methodId });
  const until = performance.now() + 300_000;
  while ((await health(hub.program.url)).pendingForward > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await hub.program.stop();
  await front.stop();
  renameSync(dbPath, cached);
  return cached;
}

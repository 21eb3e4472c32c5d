import { type Bench, noteUsage, startCompetitor } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { createKey, startHub, startStandIn } from "../lib/hub.ts";
import type { LoadUsage } from "../load/usage.ts";

const ORDERS = 500;
const rates = { HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" };

/** Measures GET /external/v1/orders with 500 active orders, against bare Koa that reads the same from SQLite each time. */
export async function externalList(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const hub = await startHub(bench, { standIn, env: rates });
  const koa = await startCompetitor(bench, "koa-orders", { COMMIT: "group" });
  const fleet = await bench.load.run("open", { target: hub.target, terminals: 1, orders: ORDERS, run: "list" });
  await bench.load.run("close", { id: fleet });
  const get = { path: "/external/v1/orders", connections: 16, orders: ORDERS };
  const fill = {
    url: koa.program.url,
    path: "/external/v1/orders",
    callers: [{}],
    connections: 16,
    run: "list",
    seconds: 1,
  };
  await bench.load.run("post", fill);
  const headers = await createKey(hub.program.url, standIn);
  const ours: number[] = [];
  const beside: number[] = [];
  const usages: LoadUsage[] = [];
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    for (const [{ name, program }, values] of [
      [hub, ours],
      [koa, beside],
    ] as const) {
      const localAddress = `127.0.0.${10 + round}`;
      const result = await bench.load.run("get", {
        ...get,
        url: program.url,
        headers,
        seconds: bench.flags.seconds,
        localAddress,
      });
      if (result.wrong > 0)
        bench.fail(`GET orders, ${name}: ${result.wrong} wrong answers; first: ${result.firstWrong}`);
      if (round === 0) continue;
      values.push(result.requests / (result.elapsedMs / 1000));
      usages.push(result.usage);
    }
  }
  await Promise.all([hub, koa, standIn].map(({ program }) => program.stop()));
  noteUsage(bench, "GET orders", usages);
  return [
    figure({
      id: "external.list",
      text: `GET /external/v1/orders with ${ORDERS} active orders`,
      unit: "requests/s",
      ours,
      beside: { name: "bare Koa", values: beside },
    }),
  ];
}

import type { Bench } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { benchUpdateProxy, type UpdateProxyLoad } from "../update-proxy.ts";

const RATE = 2000;

/** Measures 2,000 update checks a second against the proxy, which may send one request to the release host. */
export async function updateChecks(bench: Bench): Promise<Figure[]> {
  const seconds = bench.flags.quick ? 2 : 10;
  const loads: UpdateProxyLoad[] = [];
  for (let round = 0; round < Math.min(3, bench.flags.rounds); round += 1) {
    const load = await benchUpdateProxy({ rate: RATE, seconds });
    if (load.failed > 0) bench.fail(`update checks: ${load.failed} of ${load.requests} failed`);
    loads.push(load);
  }
  return [
    figure({
      id: "update-checks.p99",
      text: `${RATE.toLocaleString("en-US")} update checks/s for ${seconds} s, p99`,
      unit: "ms",
      ours: loads.map((load) => load.p99Ms),
      goal: { of: "value", is: "at most", must: 20 },
    }),
    figure({
      id: "update-checks.upstream",
      text: "look-ups at the release host meanwhile",
      unit: "calls",
      ours: loads.map((load) => load.upstreamCalls),
      goal: { of: "value", is: "at most", must: 1 },
    }),
  ];
}

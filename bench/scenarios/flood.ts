import { type Bench, type Contender, checkVerdict } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { startHub, startStandIn } from "../lib/hub.ts";
import { startLoadProcess } from "../lib/load-process.ts";
import type { PaceResult } from "../load/drive.ts";

const REQUESTS_PER_SECOND = 500;

/** Measures the terminals' latency while another peer is being rate-limited, and on the same hub without it. */
export async function flood(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const hub = await startHub(bench, { standIn });
  const attacker = startLoadProcess();
  const quiet: PaceResult[] = [];
  const flooded: PaceResult[] = [];
  let refused = 0;
  let requests = 0;
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    const quietRound = await runRound(bench, hub, `quiet-${round}`);
    const attack = attacker.run("flood", {
      url: hub.program.url,
      path: "/external/v1/session",
      perSecond: REQUESTS_PER_SECOND,
      seconds: bench.flags.seconds + 1,
      localAddress: "127.0.0.2",
    });
    const under = await runRound(bench, hub, `flood-${round}`);
    const result = await attack;
    refused += result.refused;
    requests += result.requests;
    if (round === 0) continue;
    quiet.push(quietRound);
    flooded.push(under);
  }
  await attacker.stop();
  await Promise.all([hub.program.stop(), standIn.program.stop()]);
  bench.note(
    `flood: ${refused} of ${requests} requests were refused with 429, sent at ${REQUESTS_PER_SECOND} a second`,
  );
  if (refused === 0) bench.fail("flood: not one request was refused with 429");
  const text = `write to last of 20 terminals while a peer sends ${REQUESTS_PER_SECOND} refused requests/s`;
  const pick = (results: readonly PaceResult[], which: "p50" | "p99"): number[] =>
    results.map((result) => result[which]);
  return [
    figure({
      id: "flood.p50",
      text: `${text}, p50`,
      unit: "ms",
      ours: pick(flooded, "p50"),
      beside: { name: "quiet", values: pick(quiet, "p50") },
      goal: { of: "ratio", is: "at most", must: 1.2 },
    }),
    figure({
      id: "flood.p99",
      text: `${text}, p99`,
      unit: "ms",
      ours: pick(flooded, "p99"),
      beside: { name: "quiet", values: pick(quiet, "p99") },
    }),
  ];
}

async function runRound(bench: Bench, { target }: Contender, run: string): Promise<PaceResult> {
  const id = await bench.load.run("open", { target, terminals: 20, orders: 100, run, timed: true });
  const result = await bench.load.run("pace", { id, writers: 4, perSecond: 200, seconds: bench.flags.seconds });
  checkVerdict(bench, "flood", await bench.load.run("close", { id }));
  return result;
}

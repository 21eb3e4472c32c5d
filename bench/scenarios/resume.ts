import { type Bench, type Contender, startCompetitor, checkVerdict } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { startHub, startStandIn } from "../lib/hub.ts";
import type { Since } from "../load/connect-terminal.ts";

const ORDERS = 1000;
const MISSED = 10_000;

/** Measures the time from connecting until a terminal that missed 10,000 writes over 1,000 orders has everything. */
export async function resume(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const hub = await startHub(bench, { standIn });
  const limit = await startCompetitor(bench, "limit");
  const missed = bench.flags.quick ? 2 * ORDERS : MISSED;
  const sinces = new Map<Contender, Since>();
  for (const contender of [hub, limit]) sinces.set(contender, await writeSince(bench, contender, missed));
  const ours: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round <= Math.max(bench.flags.rounds, 5); round += 1) {
    for (const [contender, times] of [
      [hub, ours],
      [limit, beside],
    ] as const) {
      const since = sinces.get(contender);
      if (since === undefined) continue;
      const result = await bench.load.run("resume", { target: contender.target, since, deviceId: `resumes-${round}` });
      if (result.orders !== ORDERS || result.damaged > 0 || result.mode !== "delta") {
        bench.fail(`resume, ${contender.name}: ${JSON.stringify(result)}, wanted a delta of ${ORDERS} intact orders`);
      }
      if (round > 0) times.push(result.tookMs);
    }
  }
  await Promise.all([hub.program.stop(), limit.program.stop(), standIn.program.stop()]);
  return [
    figure({
      id: "resume",
      text: `resume after ${missed.toLocaleString("en-US")} missed writes over 1,000 orders`,
      unit: "ms",
      ours,
      beside: { name: "limit", values: beside },
      goal: { of: "ratio", is: "at most", must: 2 },
    }),
  ];
}

async function writeSince(bench: Bench, { name, target }: Contender, count: number): Promise<Since> {
  const id = await bench.load.run("open", { target, terminals: 4, orders: ORDERS, run: "resume" });
  const since = await bench.load.run("since", { id, terminal: 0 });
  await bench.load.run("pump", { id, writers: 4, inFlight: 32, writes: count });
  checkVerdict(bench, `resume, ${name}`, await bench.load.run("close", { id }));
  return since;
}

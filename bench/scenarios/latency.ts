import { type Bench, type Contender, type Disk, checkVerdict, noteUsage, startCompetitor } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { onEachDisk, type StandIn, startHub } from "../lib/hub.ts";
import type { PaceResult } from "../load/drive.ts";

/** Measures the time from a write to its delivery to the last of 20 terminals, at 200 writes a second. */
export async function latency(bench: Bench): Promise<Figure[]> {
  return onEachDisk(bench, (disk, standIn) => onDisk(bench, disk, standIn));
}

async function onDisk(bench: Bench, disk: Disk, standIn: StandIn): Promise<Figure[]> {
  const hub = await startHub(bench, { standIn, disk });
  const limit = await startCompetitor(bench, "limit", disk.env);
  const ours: PaceResult[] = [];
  const beside: PaceResult[] = [];
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    for (const [contender, results] of [
      [hub, ours],
      [limit, beside],
    ] as const) {
      const result = await runRound(bench, contender, `${disk.name.slice(0, 4)}-${round}`, standIn.tableIds);
      if (round > 0) results.push(result);
    }
  }
  await Promise.all([hub.program.stop(), limit.program.stop()]);
  noteUsage(
    bench,
    `latency, ${disk.name}, hub`,
    ours.map((result) => result.usage),
  );
  const late = Math.max(...ours.map((result) => result.lateP99));
  const spoilt = late > 5 ? ": other programs kept this machine busy, which the p99 includes" : "";
  bench.note(
    `latency, ${disk.name}: the load generator's own clock was at most ${late.toFixed(1)} ms late (p99)${spoilt}`,
  );
  const text = `write to last of 20 terminals at 200 writes/s, ${disk.name}`;
  return [
    figure({
      id: `latency.p50.${disk.name}`,
      text: `${text}, p50`,
      unit: "ms",
      ours: ours.map((result) => result.p50),
      beside: { name: "limit", values: beside.map((result) => result.p50) },
    }),
    figure({
      id: `latency.p99.${disk.name}`,
      text: `${text}, p99`,
      unit: "ms",
      ours: ours.map((result) => result.p99),
      beside: { name: "limit", values: beside.map((result) => result.p99) },
      goal: { of: "value", is: "at most", must: disk.name === "fast disk" ? 15 : 50 },
    }),
  ];
}

async function runRound(
  bench: Bench,
  { target, name }: Contender,
  run: string,
  tableIds: readonly number[],
): Promise<PaceResult> {
  const id = await bench.load.run("open", { target, terminals: 20, orders: 200, run, tableIds, timed: true });
  const result = await bench.load.run("pace", { id, writers: 4, perSecond: 200, seconds: bench.flags.seconds });
  checkVerdict(bench, `latency, ${name}`, await bench.load.run("close", { id }));
  return result;
}

import { type Bench, type Contender, checkVerdict, startCompetitor } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { createHeapMeter, inspectable } from "../lib/heap.ts";
import { startHub, startStandIn } from "../lib/hub.ts";
import { median } from "../lib/statistics.ts";

const WRITES = 20_000;

interface Stalled {
  memoryMiB: number[];
  /** Throughput with the stalled terminal divided by the throughput without it. */
  throughput: number[];
  backAfterMs: number[];
}

/** Measures the cost of one of 20 terminals that stops reading during 20,000 writes, and whether it catches up. */
export async function stalled(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const hub = await measure(bench, await startHub(bench, { standIn, nodeOptions: inspectable }), bench.flags.rounds);
  const limit = await measure(bench, await startCompetitor(bench, "limit", {}, inspectable), 1);
  await standIn.program.stop();
  bench.note(
    `stalled: after it reads again the hub has the terminal up to date within ${median(hub.backAfterMs).toFixed(0)} ms (limit ${median(limit.backAfterMs).toFixed(0)} ms)`,
  );
  return [
    figure({
      id: "stalled.memory",
      text: "memory held for a terminal that stops reading during 20,000 writes",
      unit: "MiB",
      ours: hub.memoryMiB,
      beside: { name: "limit", values: limit.memoryMiB },
      goal: { of: "value", is: "at most", must: 8 },
    }),
    figure({
      id: "stalled.others",
      text: "the others' throughput meanwhile, of that without it",
      unit: "share",
      ours: hub.throughput,
      goal: { of: "value", is: "at least", must: 0.9 },
    }),
  ];
}

async function measure(bench: Bench, { name, program, target }: Contender, rounds: number): Promise<Stalled> {
  const writes = bench.flags.quick ? WRITES / 10 : WRITES;
  const result: Stalled = { memoryMiB: [], throughput: [], backAfterMs: [] };
  const heap = await createHeapMeter(program);
  const id = await bench.load.run("open", { target, terminals: 20, orders: 200, run: "stalled" });
  const pump = { id, writers: 4, inFlight: 32, writes };
  await bench.load.run("pump", pump);
  const terminal = 19;
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await bench.load.run("pump", pump);
    const before = await heap.liveMiB();
    await bench.load.run("stopReading", { id, terminal });
    const during = await bench.load.run("pump", pump);
    result.memoryMiB.push((await heap.liveMiB()) - before);
    result.throughput.push(quiet.elapsedMs / during.elapsedMs);
    const { tookMs, reconnected } = await bench.load.run("resumeReading", { id, terminal });
    if (reconnected)
      bench.note(`stalled, ${name}: the server had closed the terminal; it came back by connecting again`);
    result.backAfterMs.push(tookMs);
  }
  checkVerdict(bench, `stalled, ${name}`, await bench.load.run("close", { id }));
  heap.close();
  await program.stop();
  return result;
}

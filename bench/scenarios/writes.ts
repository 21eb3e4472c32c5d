import { type Bench, type Contender, type Disk, checkVerdict, noteUsage, startCompetitor } from "../lib/bench.ts";
import { type Figure, type Goal, figure } from "../lib/figure.ts";
import { onEachDisk, type StandIn, startHub } from "../lib/hub.ts";
import type { LoadUsage } from "../load/usage.ts";

/** A full restaurant: 200 open checks of 10 lines, several to a table, each edited in turn. */
const load = { terminals: 20, writers: 4, inFlight: 32, orders: 200 } as const;

const halfOfLimit: Goal = { of: "ratio", is: "at least", must: 0.5, aim: 0.6 };

/** Measures durable writes a second that all 20 terminals have seen; 4 terminals write, with 8 writes in flight each. */
export async function writes(bench: Bench): Promise<Figure[]> {
  return onEachDisk(bench, (disk, standIn) => onDisk(bench, disk, standIn));
}

interface Measured {
  perSecond: number[];
  cpuUsPerWrite: number[];
  usages: LoadUsage[];
}

async function onDisk(bench: Bench, disk: Disk, standIn: StandIn): Promise<Figure[]> {
  const contenders = [
    await startHub(bench, { standIn, disk }),
    await startCompetitor(bench, "limit", disk.env),
    await startCompetitor(bench, "socket-io", disk.env),
  ] as const;
  const measured = new Map<string, Measured>();
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    for (const contender of contenders) {
      const result = await runRound(bench, contender, `${disk.name.slice(0, 4)}-${round}`, standIn.tableIds);
      // Round 0 warms up the JIT compilers.
      if (round === 0) continue;
      const all = measured.get(contender.name) ?? { perSecond: [], cpuUsPerWrite: [], usages: [] };
      measured.set(contender.name, all);
      all.perSecond.push(result.perSecond);
      all.cpuUsPerWrite.push(result.cpuUsPerWrite);
      all.usages.push(result.usage);
    }
  }
  await Promise.all(contenders.map((contender) => contender.program.stop()));
  const of = (name: string): Measured => measured.get(name) ?? { perSecond: [], cpuUsPerWrite: [], usages: [] };
  const [hub, limit, socketIo] = [of("hub"), of("limit"), of("socket-io")];
  for (const [name, { usages }] of measured) noteUsage(bench, `writes, ${disk.name}, ${name}`, usages);
  const text = `durable writes seen by 20 terminals, ${disk.name}`;
  const unit = "writes/s";
  const timesSocketIo = disk.name === "fast disk" ? { must: 2, aim: 3 } : { must: 8, aim: 12 };
  return [
    figure({
      id: `writes.limit.${disk.name}`,
      text,
      unit,
      ours: hub.perSecond,
      beside: { name: "limit", values: limit.perSecond },
      goal: halfOfLimit,
    }),
    figure({
      id: `writes.cpu.limit.${disk.name}`,
      text: `server CPU of such a write, ${disk.name}`,
      unit: "µs",
      ours: hub.cpuUsPerWrite,
      beside: { name: "limit", values: limit.cpuUsPerWrite },
      goal: halfOfLimit,
      isCost: true,
    }),
    figure({
      id: `writes.socket-io.${disk.name}`,
      text,
      unit,
      ours: hub.perSecond,
      beside: { name: "Socket.IO", values: socketIo.perSecond },
      goal: { of: "ratio", is: "at least", ...timesSocketIo },
    }),
    figure({
      id: `writes.cpu.socket-io.${disk.name}`,
      text: `server CPU of such a write, ${disk.name}`,
      unit: "µs",
      ours: hub.cpuUsPerWrite,
      beside: { name: "Socket.IO", values: socketIo.cpuUsPerWrite },
      isCost: true,
    }),
  ];
}

async function runRound(
  bench: Bench,
  contender: Contender,
  run: string,
  tableIds: readonly number[],
): Promise<{ perSecond: number; cpuUsPerWrite: number; usage: LoadUsage }> {
  const { target, program, name } = contender;
  const id = await bench.load.run("open", { target, terminals: load.terminals, orders: load.orders, run, tableIds });
  const cpuBefore = program.cpuMs();
  const { writers, inFlight } = load;
  const result = await bench.load.run("pump", { id, writers, inFlight, seconds: bench.flags.seconds });
  const cpuMs = program.cpuMs() - cpuBefore;
  checkVerdict(bench, `writes, ${name}`, await bench.load.run("close", { id }));
  return {
    perSecond: result.writes / (result.elapsedMs / 1000),
    cpuUsPerWrite: (cpuMs * 1000) / result.writes,
    usage: result.usage,
  };
}

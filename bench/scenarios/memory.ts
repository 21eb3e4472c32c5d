import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, type Contender, checkVerdict, startCompetitor } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { startHub, startStandIn } from "../lib/hub.ts";

const FEW = 20;
/** More than a restaurant has, and within the limit of sessions per user. */
const MANY = 100;
/** Ms after a start until memory that is needed only for the start has been freed. */
const REST_MS = 3_000;
const KIB_PER_MIB = 1_024;

interface Memory {
  /** Resident MiB of a started server without clients. */
  atRest: number;
  /** KiB per terminal: the difference between many and few terminals under the same traffic. */
  perTerminal: number;
}

/** Measures the resident memory of a fresh server at rest, and what a terminal adds after some hundred changes. */
export async function memory(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const ours: Memory[] = [];
  const beside: Memory[] = [];
  for (let round = 0; round < bench.flags.rounds; round += 1) {
    ours.push(await runRound(bench, () => startHub(bench, { standIn })));
    beside.push(await runRound(bench, () => startCompetitor(bench, "limit")));
  }
  await standIn.program.stop();
  return [
    figure({
      id: "memory.at-rest",
      text: "memory at rest",
      unit: "MiB resident",
      ours: ours.map(({ atRest }) => atRest),
      beside: { name: "limit", values: beside.map(({ atRest }) => atRest) },
      goal: { of: "value", is: "at most", must: 150 },
    }),
    figure({
      id: "memory.per-terminal",
      text: `memory that each of ${MANY} terminals adds`,
      unit: "KiB resident",
      ours: ours.map(({ perTerminal }) => perTerminal),
      beside: { name: "limit", values: beside.map(({ perTerminal }) => perTerminal) },
      goal: { of: "value", is: "at most", must: 100 },
    }),
  ];
}

async function runRound(bench: Bench, start: () => Promise<Contender>): Promise<Memory> {
  const few = await resident(bench, await start(), FEW);
  const many = await resident(bench, await start(), MANY);
  return {
    atRest: Math.max(few.atRest, many.atRest),
    perTerminal: ((many.used - few.used) * KIB_PER_MIB) / (MANY - FEW),
  };
}

async function resident(
  bench: Bench,
  contender: Contender,
  terminals: number,
): Promise<Record<"atRest" | "used", number>> {
  const { name, program, target } = contender;
  await sleep(REST_MS);
  const atRest = program.residentMiB();
  const id = await bench.load.run("open", { target, terminals, orders: 50, run: "memory", timed: true });
  await bench.load.run("pace", { id, writers: 4, perSecond: 100, seconds: bench.flags.seconds });
  const used = program.residentMiB();
  checkVerdict(bench, `memory, ${name}, ${terminals} terminals`, await bench.load.run("close", { id }));
  await program.stop();
  return { atRest, used };
}

import { type Bench, type Contender, judge, startCompetitor } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { startHub, startStandIn } from "../lib/hub.ts";

const TERMINALS = 200;

/** Resident memory of a fresh server with 200 terminals that have all seen some hundred changes. */
export async function memory(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const ours: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < bench.flags.rounds; round += 1) {
    ours.push(await oneRound(bench, await startHub(bench, { standIn })));
    beside.push(await oneRound(bench, await startCompetitor(bench, "limit")));
  }
  await standIn.program.stop();
  return [
    figure({
      id: "memory.200-terminals",
      text: `memory with ${TERMINALS} terminals`,
      unit: "MiB resident",
      ours,
      beside: { name: "limit", values: beside },
      goal: { of: "ratio", is: "at most", must: 1.3 },
    }),
  ];
}

async function oneRound(bench: Bench, { name, program, target }: Contender): Promise<number> {
  const id = await bench.load.run("open", { target, terminals: TERMINALS, orders: 50, run: "memory", timed: true });
  await bench.load.run("pace", { id, writers: 4, perSecond: 100, seconds: bench.flags.seconds });
  const resident = program.residentMiB();
  judge(bench, `memory, ${name}`, await bench.load.run("close", { id }));
  await program.stop();
  return resident;
}

import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Contender } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { startHeadquarters } from "../lib/headquarters.ts";
import { type StandIn, startHub, startStandIn } from "../lib/hub.ts";
import { alternate } from "../lib/alternate.ts";
import { operator } from "../lib/operator.ts";
import { percentile } from "../lib/statistics.ts";
import { liveChecks } from "../load/lived-checks.ts";

/** Well above the time that headquarters need to receive what a round has written. */
const CURRENT_WITHIN_MS = 60_000;

/** Measures lived checks at a hub that is enrolled at real headquarters and at one that is in no chain. */
export async function chain(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const contenders = { enrolled: await startHub(bench, { standIn }), without: await startHub(bench, { standIn }) };
  const { code, program } = await startHeadquarters(bench);
  await operator(contenders.enrolled.program.url, standIn, "POST", "chain", { address: program.url, code });
  const { enrolled, without } = await alternate(bench, ["enrolled", "without"] as const, (name, run) =>
    runRound(bench, contenders[name], standIn, { run, name }),
  );
  await Promise.all(Object.values(contenders).map(({ program }) => program.stop()));
  await Promise.all([program.stop(), standIn.program.stop()]);
  const name = "in no chain";
  return [
    figure({
      id: "chain.p99",
      text: "answer to a write of a hub that is enrolled at headquarters, p99",
      unit: "ms",
      ours: enrolled.map(({ p99 }) => p99),
      beside: { name, values: without.map(({ p99 }) => p99) },
      goal: { of: "ratio", is: "at most", must: 1.02 },
    }),
    figure({
      id: "chain.cpu",
      text: "of a core, what being enrolled adds to the hub's CPU at some 20 writes a second",
      unit: "%",
      ours: enrolled.map(({ share }, round) => share - (without[round]?.share ?? Number.NaN)),
      goal: { of: "value", is: "at most", must: 2 },
    }),
  ];
}

async function runRound(
  bench: Bench,
  { program }: Contender,
  standIn: StandIn,
  { run, name }: { run: string; name: "enrolled" | "without" },
): Promise<{ p99: number; share: number }> {
  const cpuBefore = program.cpuMs();
  const from = performance.now();
  const waits = await liveChecks(bench, program.url, standIn, { run: `chain-${run}`, areMarked: true });
  if (name === "enrolled") await untilCurrent(bench, program.url, standIn);
  return { p99: percentile(waits, 99), share: ((program.cpuMs() - cpuBefore) / (performance.now() - from)) * 100 };
}

/** Waits until headquarters have everything, so that the cost of sending counts as well. */
async function untilCurrent(bench: Bench, url: string, standIn: StandIn): Promise<void> {
  const deadline = performance.now() + CURRENT_WITHIN_MS;
  while (!(await operator<{ isCurrent: boolean }>(url, standIn, "GET", "chain")).isCurrent) {
    if (performance.now() > deadline) return bench.fail("chain: headquarters do not have what was written");
    await pause(50);
  }
}

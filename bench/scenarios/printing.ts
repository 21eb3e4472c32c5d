import { setTimeout as pause } from "node:timers/promises";
import { type FakePrinter, startFakePrinter } from "../../hub/test/fake-printer/fake-printer.ts";
import { type Bench, type Contender } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { type StandIn, startHub, startStandIn } from "../lib/hub.ts";
import { alternate } from "../lib/alternate.ts";
import { operator } from "../lib/operator.ts";
import { percentile } from "../lib/statistics.ts";
import { liveChecks } from "../load/lived-checks.ts";

/** Well above the time in which the fake printers finish everything that a round has printed. */
const PRINTED_WITHIN_MS = 60_000;
const UNPRINTED = ["waiting", "printing"];

/**
 * Measures lived checks at a hub that prints slips and receipts and at one without a printer. 13 documents a second are as many
 * as a dozen real printers can print.
 */
export async function printing(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const printers = [await startFakePrinter(), await startFakePrinter()];
  const contenders = {
    printing: await startHub(bench, { standIn }),
    without: await startHub(bench, { standIn }),
  };
  await addPrinters(contenders.printing, standIn, printers);
  const { printing: ours, without } = await alternate(bench, ["printing", "without"] as const, (name, run) =>
    runRound(bench, contenders[name], standIn, run),
  );
  const sheets = printers.reduce((sum, printer) => sum + printer.documents().length, 0);
  bench.note(`printing: ${sheets} sheets came out of ${printers.length} printers`);
  if (sheets === 0) bench.fail("printing: nothing was printed");
  await Promise.all(Object.values(contenders).map(({ program }) => program.stop()));
  await Promise.all([standIn.program.stop(), ...printers.map((printer) => printer.stop())]);
  const name = "without printers";
  return [
    figure({
      id: "printing.wait",
      text: "answer to a write of a check that prints its slip and its receipt, median",
      unit: "ms",
      ours: ours.map(({ waitMs }) => waitMs),
      beside: { name, values: without.map(({ waitMs }) => waitMs) },
      goal: { of: "ratio", is: "at most", must: 1.1 },
    }),
    figure({
      id: "printing.cpu",
      text: "the hub's CPU of such a write, with all that it prints",
      unit: "µs",
      ours: ours.map(({ cpuUsPerWrite }) => cpuUsPerWrite),
      beside: { name, values: without.map(({ cpuUsPerWrite }) => cpuUsPerWrite) },
    }),
  ];
}

async function runRound(
  bench: Bench,
  { program }: Contender,
  standIn: StandIn,
  run: string,
): Promise<{ waitMs: number; cpuUsPerWrite: number }> {
  const cpuBefore = program.cpuMs();
  const waits = await liveChecks(bench, program.url, standIn, { run: `printing-${run}`, areMarked: false });
  await untilPrinted(bench, program.url, standIn);
  const cpuMs = program.cpuMs() - cpuBefore;
  return { waitMs: percentile(waits, 50), cpuUsPerWrite: (cpuMs * 1000) / waits.length };
}

async function addPrinters(hub: Contender, standIn: StandIn, printers: readonly FakePrinter[]): Promise<void> {
  const ids: string[] = [];
  for (const [n, { address }] of printers.entries()) {
    const body = { name: `P${n}`, address, width: 80, cutter: true, drawer: n === 1 };
    ids.push((await operator<{ id: string }>(hub.program.url, standIn, "POST", "printers", body)).id);
  }
  const [kitchen, receipts] = ids;
  await operator(hub.program.url, standIn, "PUT", "print-routes", { stations: { kitchen: [kitchen] }, receipts });
}

async function untilPrinted(bench: Bench, url: string, standIn: StandIn): Promise<void> {
  const deadline = performance.now() + PRINTED_WITHIN_MS;
  for (const state of UNPRINTED) {
    while ((await operator<{ jobs: unknown[] }>(url, standIn, "GET", `print-jobs?state=${state}`)).jobs.length > 0) {
      if (performance.now() > deadline) return bench.fail(`printing: jobs are still ${state}`);
      await pause(50);
    }
  }
}

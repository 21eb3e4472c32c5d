import { setTimeout as pause } from "node:timers/promises";
import { type FakePrinter, startFakePrinter } from "../../hub/test/fake-printer/fake-printer.ts";
import { type Bench, type Contender } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { type StandIn, startHub, startStandIn } from "../lib/hub.ts";
import { percentile } from "../lib/statistics.ts";
import { benchSnapshot } from "../load/bench-order.ts";
import { connectYearTerminal } from "../year/terminal.ts";

/**
 * Checks at a time, and how often each takes its next step: some 20 writes a second, far above an evening's, and 13 documents,
 * as many as a dozen printers get out of their paper.
 */
const CHECKS_AT_ONCE = 8;
const STEP_MS = 400;
/** Above what the fake printers take for all that a round has printed. */
const PRINTED_WITHIN_MS = 60_000;
const UNPRINTED = ["waiting", "printing"];

/** Checks of 10 lines that are written, sent and paid, at a hub that prints slips and receipts and at one without a printer. */
export async function printing(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const printers = [await startFakePrinter(), await startFakePrinter()];
  const contenders = {
    printing: await startHub(bench, { standIn }),
    without: await startHub(bench, { standIn }),
  };
  await addPrinters(contenders.printing, standIn, printers);
  const measured = { printing: emptyRounds(), without: emptyRounds() };
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    for (const name of ["printing", "without"] as const) {
      const result = await oneRound(bench, contenders[name], standIn, `${name}-${round}`);
      // Round 0 warms up: the compilers have seen everything once.
      if (round === 0) continue;
      measured[name].waits.push(result.waitMs);
      measured[name].cpu.push(result.cpuUsPerWrite);
    }
  }
  const sheets = printers.reduce((sum, printer) => sum + printer.documents().length, 0);
  bench.note(`printing: ${sheets} sheets came out of ${printers.length} printers`);
  if (sheets === 0) bench.fail("printing: nothing was printed");
  await Promise.all(Object.values(contenders).map(({ program }) => program.stop()));
  await Promise.all([standIn.program.stop(), ...printers.map((printer) => printer.stop())]);
  const { printing: ours, without } = measured;
  const name = "without printers";
  return [
    figure({
      id: "printing.wait",
      text: "answer to a write of a check that prints its slip and its receipt, median",
      unit: "ms",
      ours: ours.waits,
      beside: { name, values: without.waits },
      goal: { of: "ratio", is: "at most", must: 1.1 },
    }),
    figure({
      id: "printing.cpu",
      text: "the hub's CPU of such a write, with all that it prints",
      unit: "µs",
      ours: ours.cpu,
      beside: { name, values: without.cpu },
    }),
  ];
}

const emptyRounds = (): { waits: number[]; cpu: number[] } => ({ waits: [], cpu: [] });

async function oneRound(
  bench: Bench,
  { program }: Contender,
  standIn: StandIn,
  run: string,
): Promise<{ waitMs: number; cpuUsPerWrite: number }> {
  const terminal = await connectYearTerminal(program.url, standIn.managerToken, `printing-${run}`);
  const waits: number[] = [];
  const until = performance.now() + bench.flags.seconds * 1000;
  const cpuBefore = program.cpuMs();
  let checks = 0;

  async function step(change: Record<string, unknown>): Promise<void> {
    const startedAt = performance.now();
    await terminal.change(change);
    waits.push(performance.now() - startedAt);
    await pause(STEP_MS);
  }

  async function liveChecks(): Promise<void> {
    while (performance.now() < until) {
      const n = checks++;
      const posReference = `PRINT/${run}/${n}`;
      const snapshot = benchSnapshot(n, 1, null);
      const payments = [{ methodId: standIn.methodId, amount: snapshot.totals.total }];
      await step({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
      await step({ type: "ORDER_SEND", posReference });
      await step({ type: "ORDER_PAY", posReference, baseVersion: 2, payments });
    }
  }

  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, liveChecks));
  await untilPrinted(bench, program.url, standIn);
  const cpuMs = program.cpuMs() - cpuBefore;
  await terminal.close();
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
  const tooLate = performance.now() + PRINTED_WITHIN_MS;
  for (const state of UNPRINTED) {
    while ((await operator<{ jobs: unknown[] }>(url, standIn, "GET", `print-jobs?state=${state}`)).jobs.length > 0) {
      if (performance.now() > tooLate) return bench.fail(`printing: jobs are still ${state}`);
      await pause(50);
    }
  }
}

async function operator<T>(url: string, standIn: StandIn, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/operator/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${standIn.managerToken}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

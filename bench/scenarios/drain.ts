import { copyFileSync } from "node:fs";
import { type Bench, freshPath } from "../lib/bench.ts";
import { serverScript } from "../lib/build-servers.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { health, type StandIn, startHub, startStandIn } from "../lib/hub.ts";
import { type Program, startProgram } from "../lib/program.ts";
import type { FrontReport } from "../servers/front-office.ts";
import { seedRawEvents } from "../servers/seed.ts";

const EVENTS = 10_000;

/** Measures how fast queued events drain to the back-office, against a raw loop and against the back-office's own time. */
export async function drain(bench: Bench): Promise<Figure[]> {
  const events = bench.flags.quick ? EVENTS / 10 : EVENTS;
  const standIn = await startStandIn(bench);
  const front = await startProgram({
    name: "front office",
    script: serverScript("front-office"),
    env: { BEHIND_URL: standIn.program.url },
  });
  const queued = await queueEvents(bench, standIn, front, events);
  const rawFile = freshPath(bench, "raw-drain.db");
  seedRawEvents(rawFile, events);
  const ours: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < bench.flags.rounds; round += 1) {
    ours.push(perSecond(await drainHub(bench, standIn, front, queued, events, "instant")));
    await setMode(front, "instant");
    const env = { DB_PATH: copy(bench, rawFile), ERP_URL: front.url };
    const raw = await startProgram({ name: "raw drain", script: serverScript("raw-drain"), env });
    beside.push(perSecond(await drained(front, events)));
    await raw.stop();
  }
  const slow = bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds);
  const overhead: number[] = [];
  await fetch(`${standIn.program.url}/stub/v1/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ faults: [{ path: "/pos-api/v1/hub/batch-sync", latencyMs: 100 }] }),
  });
  for (let round = 0; round < slow; round += 1) {
    // The stand-in finalizes the orders for real: each round needs events that it has not seen.
    const fresh = await queueEvents(bench, standIn, front, events, `slow-${round}`);
    const report = await drainHub(bench, standIn, front, fresh, events, "pass", { HUB_FORWARD_BATCH_SIZE: "200" });
    overhead.push(report.elapsedMs / report.ownMs);
  }
  await Promise.all([front.stop(), standIn.program.stop()]);
  const text = `${events.toLocaleString("en-US")} queued events drained`;
  return [
    figure({
      id: "drain.raw",
      text,
      unit: "events/s",
      ours,
      beside: { name: "raw loop", values: beside },
      goal: { of: "ratio", is: "at least", must: 0.5 },
    }),
    figure({
      id: "drain.slow-back-office",
      text: `${text}, back-office takes 100 ms a batch of 200`,
      unit: "times its own time",
      ours: overhead,
      goal: { of: "value", is: "at most", must: 1.1 },
    }),
  ];
}

/** Creates a hub file with `events` paid orders that have not been forwarded to the back-office. */
async function queueEvents(
  bench: Bench,
  standIn: StandIn,
  front: Program,
  orders: number,
  run = "drain",
): Promise<string> {
  await setMode(front, "down");
  const dbPath = freshPath(bench, "queued.db");
  const hub = await startHub(bench, { standIn, erpUrl: front.url, dbPath });
  await bench.load.run("prepare", { target: hub.target, run, orders, methodId: standIn.methodId });
  const { pendingForward } = await health(hub.program.url);
  await hub.program.stop();
  if (pendingForward !== orders) bench.fail(`drain: ${pendingForward} events are queued after ${orders} payments`);
  return dbPath;
}

async function drainHub(
  bench: Bench,
  standIn: StandIn,
  front: Program,
  queued: string,
  events: number,
  mode: "instant" | "pass",
  env: Readonly<Record<string, string>> = {},
): Promise<FrontReport> {
  await setMode(front, mode);
  const hub = await startHub(bench, { standIn, erpUrl: front.url, dbPath: copy(bench, queued), env });
  const report = await drained(front, events);
  const until = performance.now() + 5000;
  while ((await health(hub.program.url)).pendingForward > 0 && performance.now() < until) await pause();
  const { pendingForward } = await health(hub.program.url);
  await hub.program.stop();
  if (report.events !== events || report.doubled > 0 || pendingForward > 0) {
    bench.fail(`drain: ${report.events} of ${events} events arrived, ${report.doubled} twice, ${pendingForward} left`);
  }
  return report;
}

async function drained(front: Program, events: number): Promise<FrontReport> {
  const until = performance.now() + 120_000;
  for (;;) {
    const report = (await (await fetch(`${front.url}/bench/report`)).json()) as FrontReport;
    if (report.events >= events || performance.now() > until) return report;
    await pause();
  }
}

async function setMode(front: Program, mode: string): Promise<void> {
  await (await fetch(`${front.url}/bench/mode`, { method: "POST", body: mode })).text();
}

function copy(bench: Bench, file: string): string {
  const to = freshPath(bench, "copy.db");
  copyFileSync(file, to);
  return to;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

function perSecond(report: FrontReport): number {
  return report.events / (report.elapsedMs / 1000);
}

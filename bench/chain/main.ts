/**
 * `npm run bench:chain`: simulated restaurants, each with a hub's own publisher, against headquarters as a program. Measures
 * how long a change takes to reach headquarters, what is lost or duplicated, and what the parts cost. Uses the empty database
 * at HQ_DATABASE_URL if set, else the embedded one.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readCommandLine } from "../../build/command-line.ts";
import { openDatabase } from "../../headquarters/db/open.ts";
import { endProgram, startProgram } from "../../headquarters/test/headquarters-program.ts";
import { prepareRestaurants } from "../../headquarters/test/prepare-restaurants.ts";
import { randomFrom } from "../../headquarters/test/simulated-restaurant.ts";
import { testFolder } from "../../headquarters/test/test-folder.ts";
import { percentile } from "../lib/statistics.ts";
import { createPartCosts } from "./part-costs.ts";
import { compareFleet, simulateChanges, type SimulatedMember, startFleet } from "./simulated-fleet.ts";

const usage = `npm run bench:chain -- [--hubs N] [--seconds N] [--rate N] [--history N] [--kbps N] [--seed N] [--faults]
  [--away SECONDS] [--behind N] [--steps N]`;
const { values } = readCommandLine(usage, {
  options: {
    hubs: { type: "string", default: "50" },
    seconds: { type: "string", default: "30" },
    /** Changes per restaurant and second; an evening's peak is 0.28. */
    rate: { type: "string", default: "0.28" },
    /** Changes that each restaurant has made before it first connects to headquarters. */
    history: { type: "string", default: "100" },
    kbps: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    /** Kills NATS and headquarters alternately, every ten seconds. */
    faults: { type: "boolean", default: false },
    /** Seconds for which headquarters are then down while the restaurants keep working. */
    away: { type: "string", default: "0" },
    /** Number of restaurants that then lose their connection, make `steps` changes each, and reconnect. */
    behind: { type: "string", default: "0" },
    steps: { type: "string", default: "10800" },
  },
});
const hubs = Number(values.hubs);
const seconds = Number(values.seconds);
const rate = Number(values.rate);
const seed = Number(values.seed);
const random = randomFrom(seed);

const dataDir = await testFolder();
const location = { url: process.env["HQ_DATABASE_URL"] ?? null, dataDir };
const prepared = await prepareRestaurants(location, hubs);
let program = startProgram({ HQ_DATA_DIR: dataDir });
await program.url();
const costs = await createPartCosts({ program: () => program.child.pid ?? 0, dataDir, databaseUrl: location.url });
const url = `nats://127.0.0.1:${readFileSync(path.join(dataDir, "nats/port"), "utf8")}`;

const startedAt = performance.now();
const members = await startFleet(prepared, { seed, url, kbps: Number(values.kbps), history: Number(values.history) });
await allDone(120_000);
console.log(`${hubs} restaurants with ${values.history} steps each: here after ${since(startedAt)} s`);

let nextFault = performance.now() + 10_000;
let faults = 0;
if (values.faults) {
  await simulateChanges(members, {
    seconds,
    rate,
    random,
    async meanwhile() {
      if (performance.now() <= nextFault) return;
      await fault();
      nextFault = performance.now() + 10_000;
    },
  });
} else {
  await costs.measure(() => simulateChanges(members, { seconds, rate, random }));
}
const settlingFrom = performance.now();
await allDone(300_000);
const lags = members.flatMap((member) => [...member.lags]);
const ms = (p: number): string => `${Math.round(percentile(lags, p))} ms`;
console.log(
  `${lags.length} changes in ${seconds} s, faults: ${faults}; complete ${since(settlingFrom)} s after the last`,
);
console.log(`commit at a hub → headquarters have it: p50 ${ms(50)}, p95 ${ms(95)}, p99 ${ms(99)}, most ${ms(100)}`);
await stopHeadquarters(Number(values.away));
await fallBehind(members.slice(0, Number(values.behind)), Number(values.steps));

for (const member of members) await member.stop();
await endProgram(program);
await costs.close();
const database = await openDatabase(location);
const { lost, doubled, sums } = await compareFleet(database, members);
await database.close();
console.log(`lost ${lost}, doubled ${doubled}, sums that differ ${sums}`);
process.exit(lost + doubled + sums === 0 ? 0 : 1);

/** Kills headquarters for `forSeconds`; their NATS server keeps running and stores what restaurants send. */
async function stopHeadquarters(forSeconds: number): Promise<void> {
  if (forSeconds === 0) return;
  program.child.kill("SIGKILL");
  await program.ended;
  await simulateChanges(members, { seconds: forSeconds, rate, random });
  const from = performance.now();
  program = startProgram({ HQ_DATA_DIR: dataDir });
  await program.url();
  await allDone(1_800_000);
  console.log(`headquarters were away for ${forSeconds} s: complete ${since(from)} s after their start`);
}

async function fallBehind(away: readonly SimulatedMember[], steps: number): Promise<void> {
  if (away.length === 0) return;
  for (const member of away) await member.disconnect();
  for (const member of away) member.makeChanges(steps);
  const from = performance.now();
  for (const member of away) member.connect();
  await allDone(1_800_000);
  console.log(`${away.length} restaurants came back with ${steps} steps each: complete after ${since(from)} s`);
}

async function allDone(withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (members.some((member) => !member.isDone())) {
    if (performance.now() > deadline) {
      const waiting = members.filter((member) => !member.isDone()).length;
      console.error(program.lines.slice(-20).join("\n"));
      await endProgram(program);
      console.error(`${waiting} of ${hubs} restaurants have not reached headquarters within ${withinMs / 1_000} s`);
      process.exit(1);
    }
    await pause(50);
  }
}

async function fault(): Promise<void> {
  faults += 1;
  if (faults % 2 === 1) {
    process.kill(Number(readFileSync(path.join(dataDir, "nats/nats.pid"), "utf8")), "SIGKILL");
    return;
  }
  program.child.kill("SIGKILL");
  await program.ended;
  program = startProgram({ HQ_DATA_DIR: dataDir });
  await program.url();
}

function since(from: number): string {
  return ((performance.now() - from) / 1_000).toFixed(1);
}

/**
 * `npm run bench:chain`: simulated restaurants, each with a hub's own publisher, against headquarters as a program: how long a
 * change takes to be seen there, what is lost or doubled, and what the parts cost. With HQ_DATABASE_URL on an empty database
 * of that server, else on the embedded one.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openDatabase } from "../../headquarters/db/open.ts";
import { endProgram, startProgram } from "../../headquarters/test/headquarters-program.ts";
import { prepareRestaurants } from "../../headquarters/test/prepare-restaurants.ts";
import { randomFrom } from "../../headquarters/test/simulated-restaurant.ts";
import { testFolder } from "../../headquarters/test/test-folder.ts";
import { cpuMs, residentMiB } from "../lib/process-usage.ts";
import { percentile } from "../lib/statistics.ts";
import { compareFleet, live, startFleet } from "./simulated-fleet.ts";

const { values } = parseArgs({
  options: {
    hubs: { type: "string", default: "50" },
    seconds: { type: "string", default: "30" },
    /** Changes of each restaurant a second; an evening's peak is 0.28. */
    rate: { type: "string", default: "0.28" },
    /** What each has done before it meets headquarters for the first time. */
    history: { type: "string", default: "100" },
    kbps: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    /** Kills NATS and headquarters by turns, every ten seconds. */
    faults: { type: "boolean", default: false },
  },
});
const hubs = Number(values.hubs);
const seconds = Number(values.seconds);
const rate = Number(values.rate);
const seed = Number(values.seed);
const random = randomFrom(seed);

const dataDir = await testFolder();
const where = { url: process.env["HQ_DATABASE_URL"] ?? null, dataDir };
const prepared = await prepareRestaurants(where, hubs);
let program = startProgram({ HQ_DATA_DIR: dataDir });
await program.url();
const natsPid = (): number => Number(readFileSync(path.join(dataDir, "nats/nats.pid"), "utf8"));
const url = `nats://127.0.0.1:${readFileSync(path.join(dataDir, "nats/port"), "utf8")}`;

const began = performance.now();
const members = await startFleet(prepared, { seed, url, kbps: Number(values.kbps), history: Number(values.history) });
await allDone(120_000);
console.log(`${hubs} restaurants with ${values.history} steps each: here after ${since(began)} s`);

const cpuBefore = { headquarters: cpuMs(program.child.pid ?? 0), nats: cpuMs(natsPid()) };
let nextFault = performance.now() + 10_000;
let faults = 0;
await live(members, {
  seconds,
  rate,
  random,
  async meanwhile() {
    if (!values.faults || performance.now() <= nextFault) return;
    await fault();
    nextFault = performance.now() + 10_000;
  },
});
const cpu = {
  headquarters: cpuMs(program.child.pid ?? 0) - cpuBefore.headquarters,
  nats: cpuMs(natsPid()) - cpuBefore.nats,
};
const memory = { headquarters: residentMiB(program.child.pid ?? 0), nats: residentMiB(natsPid()) };
const settling = performance.now();
await allDone(300_000);
const lags = members.flatMap((member) => member.lags);
const ms = (p: number): string => `${Math.round(percentile(lags, p))} ms`;
console.log(`${lags.length} changes in ${seconds} s, faults: ${faults}; complete ${since(settling)} s after the last`);
console.log(`commit at a hub → headquarters have it: p50 ${ms(50)}, p95 ${ms(95)}, p99 ${ms(99)}, most ${ms(100)}`);
if (!values.faults) {
  for (const part of ["headquarters", "nats"] as const) {
    const share = Math.round((cpu[part] / (seconds * 1_000)) * 1_000) / 10;
    console.log(`${part}: ${share} % of a core, ${Math.round(memory[part])} MiB`);
  }
}

for (const member of members) await member.stop();
await endProgram(program);
const database = await openDatabase(where);
const { lost, doubled, sums } = await compareFleet(database, members);
await database.close();
console.log(`lost ${lost}, doubled ${doubled}, sums that differ ${sums}`);
process.exit(lost + doubled + sums === 0 ? 0 : 1);

async function allDone(withinMs: number): Promise<void> {
  const tooLate = performance.now() + withinMs;
  while (members.some((member) => !member.isDone())) {
    if (performance.now() > tooLate) {
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
    process.kill(natsPid(), "SIGKILL");
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

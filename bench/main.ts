/** `npm run bench`: compares our hub with the limit of this machine and with what a team would otherwise write, in one run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench, Scenario } from "./lib/bench.ts";
import { buildServers } from "./lib/build-servers.ts";
import { foreignLoad } from "./lib/foreign-load.ts";
import { readFlags } from "./lib/flags.ts";
import { type Figure, reached } from "./lib/figure.ts";
import { startLoadProcess } from "./lib/load-process.ts";
import { endPrograms, repoRoot } from "./lib/program.ts";
import { renderReport } from "./lib/report.ts";
import { buildSlowFsync } from "./lib/slow-fsync.ts";
import { chain } from "./scenarios/chain.ts";
import { drain } from "./scenarios/drain.ts";
import { externalList } from "./scenarios/external-list.ts";
import { externalOrders } from "./scenarios/external-orders.ts";
import { flood } from "./scenarios/flood.ts";
import { latency } from "./scenarios/latency.ts";
import { memory } from "./scenarios/memory.ts";
import { firstSync } from "./scenarios/first-sync.ts";
import { printing } from "./scenarios/printing.ts";
import { resume } from "./scenarios/resume.ts";
import { screen } from "./scenarios/screen.ts";
import { stalled } from "./scenarios/stalled.ts";
import { start } from "./scenarios/start.ts";
import { terminal } from "./scenarios/terminal.ts";
import { updateChecks } from "./scenarios/update-checks.ts";
import { webhooks } from "./scenarios/webhooks.ts";
import { writes } from "./scenarios/writes.ts";
import { year } from "./scenarios/year.ts";

const nodeMajor = Number(process.versions.node.split(".")[0]);
if (nodeMajor < 22) {
  console.error(`This needs Node 24, and this is Node ${process.versions.node}: use "npm run bench".`);
  process.exit(1);
}

/** In the order of the report. */
const scenarios: Readonly<Record<string, Scenario>> = {
  writes,
  printing,
  chain,
  latency,
  memory,
  resume,
  "first-sync": firstSync,
  stalled,
  drain,
  start,
  "external-orders": externalOrders,
  "external-list": externalList,
  webhooks,
  flood,
  "update-checks": updateChecks,
  screen,
  terminal,
  year,
};

/** A full run needs half an hour and gigabytes, so it runs only when named. */
const onlyWhenNamed: readonly string[] = ["year"];

process.exitCode = await run();

async function run(): Promise<number> {
  const flags = readFlags(Object.keys(scenarios));
  const cacheFolder = join(repoRoot, ".cache", "bench");
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "comanda-bench-"));
  const notes: string[] = [];
  const failures: string[] = [];
  const note = (sentence: string): void => {
    notes.push(sentence);
    console.log(`  ${sentence}`);
  };
  await buildServers();
  const load = startLoadProcess();
  const slowDisk = buildSlowFsync(folder);
  const bench: Bench = {
    flags,
    load,
    folder,
    cacheFolder,
    slowDisk,
    note,
    fail: (sentence) => void failures.push(sentence),
  };
  const figures: Figure[] = [];
  const startedAt = performance.now();
  if (flags.slowDisk && "missing" in slowDisk) note(slowDisk.missing);
  for (const [name, scenario] of Object.entries(scenarios)) {
    const isSelected =
      flags.only.length === 0 ? flags.quick || !onlyWhenNamed.includes(name) : flags.only.includes(name);
    if (!isSelected) continue;
    console.log(`${name} …`);
    const foreign = await foreignLoad();
    if (foreign > 0.2) {
      note(
        `${name}: other programs kept this machine ${Math.round(foreign * 100)} % busy before it began: distrust it`,
      );
    }
    try {
      figures.push(...(await scenario(bench)));
    } catch (error) {
      failures.push(`${name} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
      endPrograms();
    }
  }
  await load.stop();
  rmSync(folder, { recursive: true, force: true });
  const minutes = (performance.now() - startedAt) / 60_000;
  console.log(`\n${renderReport(figures)}\n`);
  console.log(
    `Medians over ${flags.rounds} interleaved rounds; Node ${process.versions.node}; ${minutes.toFixed(1)} min.`,
  );
  for (const sentence of notes) console.log(`- ${sentence}`);
  for (const sentence of failures) console.error(`FAILED: ${sentence}`);
  const report = figures.map((line) => ({ ...line, reached: reached(line) }));
  const json = { at: new Date().toISOString(), flags, figures: report, notes, failures };
  writeFileSync(join(cacheFolder, "last.json"), `${JSON.stringify(json, null, 2)}\n`);
  return failures.length > 0 ? 1 : 0;
}

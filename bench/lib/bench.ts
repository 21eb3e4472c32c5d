import { join } from "node:path";
import type { Target } from "../load/flavour.ts";
import type { Verdict } from "../load/fleet-book.ts";
import { type LoadUsage, wasBottleneck } from "../load/usage.ts";
import { serverScript } from "./build-servers.ts";
import type { Flags } from "./flags.ts";
import type { Figure } from "./figure.ts";
import type { LoadProcess } from "./load-process.ts";
import { type Program, startProgram } from "./program.ts";
import type { SlowDisk } from "./slow-fsync.ts";

/** The environment that every scenario gets. */
export interface Bench {
  flags: Flags;
  load: LoadProcess;
  /** A throw-away folder on a real disk, deleted at the end. */
  folder: string;
  /** Folder that is kept between runs, for prepared data files. */
  cacheFolder: string;
  slowDisk: SlowDisk;
  /** Prints a sentence while running and keeps it for the report. */
  note: (sentence: string) => void;
  /** Fails the run: something was lost, duplicated or damaged. */
  fail: (sentence: string) => void;
}

export type Scenario = (bench: Bench) => Promise<Figure[]>;

/** The disk that a run's servers write to. */
export interface Disk {
  name: "fast disk" | "slow disk";
  env: Readonly<Record<string, string>>;
}

/** Returns the disks that this run measures on. */
export function disksOf(bench: Bench): Disk[] {
  const fast: Disk = { name: "fast disk", env: {} };
  if (!bench.flags.slowDisk || !("env" in bench.slowDisk)) return [fast];
  return [fast, { name: "slow disk", env: bench.slowDisk.env }];
}

/** A server of a comparison and how the load generator talks to it. */
export interface Contender {
  name: string;
  program: Program;
  target: Target;
}

let started = 0;

/** Returns an unused path in the throw-away folder. */
export function freshPath(bench: Bench, name: string): string {
  started += 1;
  return join(bench.folder, `${started}-${name}`);
}

/** Starts one of the servers in bench/servers on a fresh file. */
export async function startCompetitor(
  bench: Bench,
  script: "limit" | "socket-io" | "koa-orders",
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Promise<Contender> {
  const program = await startProgram({
    name: script,
    script: serverScript(script),
    env: { DB_PATH: freshPath(bench, `${script}.db`), ...env },
    nodeOptions,
  });
  const flavour = script === "socket-io" ? "socket.io" : "comanda";
  return { name: script, program, target: { flavour, url: program.url, token: "any" } };
}

/** Fails the run unless the terminals saw every write exactly once and intact. */
export function checkVerdict(bench: Bench, name: string, verdict: Verdict): void {
  const { lost, doubled, damaged, rejected, firstProblem } = verdict;
  if (lost + doubled + damaged + rejected === 0) return;
  bench.fail(
    `${name}: ${lost} lost, ${doubled} doubled, ${damaged} damaged, ${rejected} rejected; first: ${firstProblem ?? "?"}`,
  );
}

/** Adds a note if the load generator was as busy as the server: the figure is then a lower bound. */
export function noteUsage(bench: Bench, name: string, usages: readonly LoadUsage[]): void {
  const busy = usages.filter(wasBottleneck).length;
  if (busy === 0) return;
  const loop = Math.max(...usages.map((usage) => usage.loop));
  bench.note(
    `${name}: the load generator was the bottleneck in ${busy} of ${usages.length} rounds (busy ${Math.round(loop * 100)} %): read the figure as "at least"`,
  );
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { openBench, prepareFolders, type Bench, type Prepared } from "./data-folder.ts";
import { withDeadline } from "./deadline.ts";
import type { OpenPart, Part, Round } from "./part.ts";
import { createPreload, type Preload } from "./preload.ts";
import { compareViews } from "./probe.ts";
import { readHub, saysDataFile, type HubView } from "./read-hub.ts";
import { judgeEnd, tryStart } from "./try-start.ts";

const program = join(import.meta.dirname, "../../dist/hub/main.js");
/** Renames of a restore: the file, its WAL, the backup, and what a newer way of doing it may need beside. */
const MOST_RENAMES = 5;
const ways = ["kill-before", "kill-after", "EBUSY"] as const;

/** A restore from the command line is killed or refused at one of its renames: a start then has the old file or the backup. */
export const restores: Part = {
  name: "restores",
  rounds: { long: 2 * ways.length * 2 * MOST_RENAMES, short: 6 },
  atOnce: 2,
  async open({ folder, random }): Promise<OpenPart> {
    const bench = await openBench();
    const prepared = await prepareFolders(bench, folder, random, 24);
    return {
      run: (round) => runRound(bench, prepared[round.index % prepared.length]!, round),
      close: () => bench.restaurant.close(),
    };
  },
};

async function runRound(bench: Bench, prepared: Prepared, round: Round): Promise<void> {
  const { random, folder } = round;
  const way = random.pick(ways);
  const skip = random.int(0, MOST_RENAMES - 1);
  const data = join(folder, "data");
  cpSync(prepared.folder, data, { recursive: true });
  const manual = readdirSync(join(data, "backups")).find((name) => name.startsWith("hub-manual"));
  if (manual === undefined) throw new Error("the prepared folder has no backup");
  const preload = createPreload(data, folder);
  const what = `a restore after a ${prepared.name} end, ${way} at ${way === "EBUSY" ? "and after " : ""}its rename ${skip + 1}`;

  preload.setRule({ on: ["rename"], action: way, skip, times: way === "EBUSY" ? random.pick([1, 1_000]) : 1 });
  const { code, stderr } = await runRestore(bench, data, manual, preload);
  round.worked(1);
  if (code !== 0 && code !== null) {
    const end = judgeEnd(code, stderr);
    if (end.kind === "broke") round.found("hidden", `${what}: the command ${end.what}`);
  }
  await compareStart(bench, { data, prepared, manual, what, round });
}

async function runRestore(bench: Bench, data: string, backup: string, preload: Preload) {
  const env = { PATH: process.env["PATH"] ?? "", ...bench.envOn(data), ...preload.env };
  const child = spawn(process.execPath, [program, "restore", backup], { cwd: data, env });
  child.stdin.end();
  const done = Promise.all([once(child, "close"), text(child.stderr)]);
  const [, stderr] = await withDeadline("the end of a restore", done).finally(() => child.kill("SIGKILL"));
  return { code: child.exitCode, stderr };
}

async function compareStart(
  bench: Bench,
  {
    data,
    prepared,
    manual,
    what,
    round,
  }: { data: string; prepared: Prepared; manual: string; what: string; round: Round },
): Promise<void> {
  const start = await tryStart(bench.envOn(data), data);
  round.worked(1);
  if (start.kind === "broke") return round.found("hidden", `${what}: the hub ${start.what}`);
  if (start.kind === "refused") return;
  const { hub } = start;
  try {
    const view = await readHub(hub.url, bench.tokens, { since: prepared.since });
    const fromBackup = await goldenOf(bench, prepared, manual, round);
    const [before, after] = [prepared.golden, fromBackup].map((each) => compareViews(each, view, prepared.ledger));
    if (before?.length === 0 || after?.length === 0 || (await saysDataFile(hub.url))) return;
    round.found(
      "hidden",
      `${what}: serves ${view.orders.size} orders, neither the old file nor the backup; ${before?.[0]}`,
    );
    if (view.orders.size === 0) round.found("lost", `${what}: all orders`, prepared.golden.orders.size);
  } finally {
    await hub.kill();
  }
}

const goldens = new WeakMap<Prepared, HubView>();

/** What the backup shows when it is restored undisturbed. */
async function goldenOf(bench: Bench, prepared: Prepared, manual: string, round: Round): Promise<HubView> {
  const known = goldens.get(prepared);
  if (known !== undefined) return known;
  const data = join(round.folder, "undisturbed");
  cpSync(prepared.folder, data, { recursive: true });
  const { code, stderr } = await runRestore(bench, data, manual, createPreload(data, round.folder));
  if (code !== 0) throw new Error(`an undisturbed restore failed: ${stderr}`);
  const start = await tryStart(bench.envOn(data), data);
  if (start.kind !== "serves") throw new Error(`a restored hub did not start: ${JSON.stringify(start)}`);
  const view = await readHub(start.hub.url, bench.tokens);
  await start.hub.kill();
  goldens.set(prepared, view);
  return view;
}

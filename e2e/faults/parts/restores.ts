import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { until } from "../../../hub/test/support/until.ts";
import { join } from "node:path";
import { prepareFolders, type Prepared } from "../prepared-folders.ts";
import { openTestBed, type TestBed } from "../test-bed.ts";
import { damageFile } from "./damage.ts";
import { withTimeout } from "../../support/with-timeout.ts";
import type { OpenPart, Part, Round } from "../part.ts";
import { createPreload, type Preload } from "../preload.ts";
import { compareViews } from "../probe.ts";
import { postJson, readHub, reportsDataFile, type HubView } from "../read-hub.ts";
import { classifyEnd, tryStart } from "../try-start.ts";

const program = join(import.meta.dirname, "../../../dist/hub/main.js");
/** Faults at one of the next renames; the moments between two renames come first. */
const renamePlans = [
  { action: "kill-after", skip: 0 },
  { action: "EBUSY", skip: 1 },
  { action: "kill-before", skip: 1 },
  { action: "EBUSY", skip: 0 },
  { action: "kill-after", skip: 1 },
  { action: "kill-before", skip: 0 },
  { action: "EBUSY", skip: 2 },
  { action: "kill-before", skip: 2 },
  { action: "kill-after", skip: 2 },
] as const;
/** Longest wait for the hub's automatic restart after a manager's restore. */
const STARTS_AGAIN_WITHIN_MS = 3_000;

/** A restore is killed or fails at a rename, or its backup is damaged. A start must then serve the old file or the backup. */
export const restores: Part = {
  name: "restores",
  rounds: { long: 72, short: 6 },
  concurrency: 2,
  async open({ folder, random }): Promise<OpenPart> {
    const bed = await openTestBed();
    const prepared = await prepareFolders(bed, folder, random, 24);
    return {
      run: (round) => runRound(bed, round.random.pick(prepared), round),
      close: () => bed.restaurant.close(),
    };
  },
};

async function runRound(bed: TestBed, prepared: Prepared, round: Round): Promise<void> {
  const { folder } = round;
  const data = join(folder, "data");
  cpSync(prepared.folder, data, { recursive: true });
  const manual = readdirSync(join(data, "backups")).find((name) => name.startsWith("hub-manual"));
  if (manual === undefined) throw new Error("the prepared folder has no backup");
  const restore = { data, prepared, manual, preload: createPreload(data, folder) };
  const restoreVariants = [restoreByCommand, restoreByCommand, restoreByManager, restoreDamaged];
  const runVariant = restoreVariants[round.index % restoreVariants.length]!;
  const scenario = `a restore after a ${prepared.name} end, ${await runVariant(bed, restore, round)}`;
  await compareStart(bed, { ...restore, scenario, round });
}

interface Restore {
  data: string;
  prepared: Prepared;
  /** File name of the backup. */
  manual: string;
  preload: Preload;
}

/** Makes one of the next renames fail or kill the program; returns a description. */
function spoilRenames(preload: Preload, { index, random }: Round): string {
  const { action, skip } = renamePlans[index % renamePlans.length]!;
  const times = action === "EBUSY" ? random.pick([1, 1_000]) : 1;
  preload.setRule({ on: ["rename"], action, skip, times });
  return `${action} at ${times > 1 ? "and after " : ""}its rename ${skip + 1}`;
}

async function restoreByCommand(bed: TestBed, { data, manual, preload }: Restore, round: Round): Promise<string> {
  const scenario = `from the command line, ${spoilRenames(preload, round)}`;
  const { code, stderr } = await runRestore(bed, data, manual, preload);
  round.addOperations(1);
  if (code !== 0 && code !== null) {
    const end = classifyEnd(code, stderr);
    if (end.kind === "broke") round.report("hidden", `a restore ${scenario}: the command ${end.description}`);
  }
  return scenario;
}

async function restoreByManager(bed: TestBed, restore: Restore, round: Round): Promise<string> {
  const { data, manual, preload, prepared } = restore;
  const start = await tryStart({ ...bed.envOn(data), ...preload.env }, data);
  if (start.kind !== "serves") throw new Error(`the hub did not start on a good folder: ${JSON.stringify(start)}`);
  const { hub } = start;
  const { hello } = await readHub(hub.url, bed.tokens, { since: prepared.since });
  const scenario = `by a manager, ${spoilRenames(preload, round)}`;
  const headers = { authorization: `Bearer ${bed.tokens.manager}` };
  await postJson(`${hub.url}/operator/v1/backups/${manual}/restore`, headers, { confirm: manual }).catch(() => {});
  const hasNewEpoch = async (): Promise<boolean> =>
    readHub(hub.url, bed.tokens).then(
      (view) => view.hello.epoch !== hello.epoch,
      () => false,
    );
  await Promise.race([hub.ended, until("another history", hasNewEpoch, STARTS_AGAIN_WITHIN_MS).catch(() => {})]);
  await hub.kill();
  round.addOperations(2);
  return scenario;
}

/** Restores a damaged backup: the command must refuse it in one sentence, or the damage must be reported later. */
async function restoreDamaged(bed: TestBed, { data, manual, preload }: Restore, round: Round): Promise<string> {
  const kind = round.random.pick(["empty", "truncated", "zeroed page", "flipped bit"] as const);
  const damage = damageFile({ data, file: join("backups", manual), older: data }, kind, round.random);
  const { code, stderr } = await runRestore(bed, data, manual, preload);
  round.addOperations(1);
  const end = code === 0 ? null : classifyEnd(code, stderr);
  if (end?.kind === "broke")
    round.report("hidden", `a restore of a damaged backup (${damage}): the command ${end.description}`);
  return `of a damaged backup: ${damage}`;
}

async function runRestore(bed: TestBed, data: string, backup: string, preload: Preload) {
  const env = { PATH: process.env["PATH"] ?? "", ...bed.envOn(data), ...preload.env };
  const child = spawn(process.execPath, [program, "restore", backup], { cwd: data, env });
  child.stdin.end();
  const done = Promise.all([once(child, "close"), text(child.stderr)]);
  const [, stderr] = await withTimeout("the end of a restore", done).finally(() => child.kill("SIGKILL"));
  return { code: child.exitCode, stderr };
}

async function compareStart(
  bed: TestBed,
  { data, prepared, manual, scenario, round }: Restore & { scenario: string; round: Round },
): Promise<void> {
  const start = await tryStart(bed.envOn(data), data);
  round.addOperations(1);
  if (start.kind === "broke") return round.report("hidden", `${scenario}: the hub ${start.description}`);
  if (start.kind === "refused") return;
  const { hub } = start;
  try {
    const view = await readHub(hub.url, bed.tokens, { since: prepared.since });
    const fromBackup = await goldenOf(bed, prepared, manual, round);
    const [before, after] = [prepared.golden, fromBackup].map((each) => compareViews(each, view, prepared.ledger));
    if (before?.length === 0 || after?.length === 0 || (await reportsDataFile(hub.url))) return;
    round.report(
      "hidden",
      `${scenario}: serves ${view.orders.size} orders, neither the old file nor the backup; ${before?.[0]}`,
    );
    if (view.orders.size === 0) round.report("lost", `${scenario}: all orders`, prepared.golden.orders.size);
  } finally {
    await hub.kill();
  }
}

const goldens = new WeakMap<Prepared, HubView>();

/** Returns what the hub serves after an undisturbed restore of the backup. */
async function goldenOf(bed: TestBed, prepared: Prepared, manual: string, round: Round): Promise<HubView> {
  const cached = goldens.get(prepared);
  if (cached !== undefined) return cached;
  const data = join(round.folder, "undisturbed");
  cpSync(prepared.folder, data, { recursive: true });
  const { code, stderr } = await runRestore(bed, data, manual, createPreload(data, round.folder));
  if (code !== 0) throw new Error(`an undisturbed restore failed: ${stderr}`);
  const start = await tryStart(bed.envOn(data), data);
  if (start.kind !== "serves") throw new Error(`a restored hub did not start: ${JSON.stringify(start)}`);
  const view = await readHub(start.hub.url, bed.tokens);
  await start.hub.kill();
  goldens.set(prepared, view);
  return view;
}

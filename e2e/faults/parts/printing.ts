import { symlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import path from "node:path";
import { bundleForNode } from "../../../build/bundle.ts";
import { decode } from "../../../hub/test/fake-printer/decode.ts";
import { type FakePrinter, startFakePrinter } from "../../../hub/test/fake-printer/fake-printer.ts";
import { until } from "../../../hub/test/support/until.ts";
import { type Program, startProgram } from "../../support/start-program.ts";
import type { Part, Round } from "../part.ts";
import type { SpoolCommand, SpoolJob } from "./spool-command.ts";

const packages = path.resolve(import.meta.dirname, "../../../node_modules");
const STEPS = 14;
const settings = { pollMs: 200, fallbackMs: 400, expireMs: 8_000 };
const FINISHED_WITHIN_MS = 60_000;

/** Two printers with all their faults, a hub that gets killed, and people who reprint documents of unknown outcome. */
export const printing: Part = {
  name: "printing",
  rounds: { long: 300, short: 6 },
  concurrency: 3,
  async open({ folder }) {
    const program = await bundleSpool(folder);
    return { run: (round) => printAnEvening(round, program), close: async () => {} };
  },
};

/** Bundles the spool program. Each evening starts it several times, and a start from its sources takes three times as long. */
async function bundleSpool(outDir: string): Promise<string> {
  const entries = { spool: "e2e/faults/parts/spool-program.ts" };
  await bundleForNode({ entries, outDir, external: ["better-sqlite3"], extension: "mjs" });
  symlinkSync(packages, path.join(outDir, "node_modules"), "junction");
  return path.join(outDir, "spool.mjs");
}

async function printAnEvening(round: Round, program: string): Promise<void> {
  const { random } = round;
  const printers = { kitchen: await startFakePrinter(), bar: await startFakePrinter() };
  for (const printer of Object.values(printers)) printer.faults.isSilent = random.chance(0.3);
  const spool = await startSpool(program, path.join(round.folder, "hub.sqlite"), printers);
  const acknowledged = new Set<string>();
  const done: string[] = [];
  try {
    for (let step = 0; step < STEPS; step += 1) {
      done.push(await takeStep(round, step, spool, printers, acknowledged));
      round.addOperations(1);
      if (random.chance(0.4)) await pause(random.int(10, 500));
    }
    for (const printer of Object.values(printers)) {
      printer.mend();
      await printer.listen();
    }
    const jobs = await until("everything is finished", () => finished(spool), FINISHED_WITHIN_MS);
    checkPrinted(round, jobs, Object.values(printers), acknowledged, done.join(", "));
  } finally {
    await spool.kill();
    for (const printer of Object.values(printers)) await printer.stop();
  }
}

type Spool = Awaited<ReturnType<typeof startSpool>>;
type Printers = Record<"kitchen" | "bar", FakePrinter>;

async function takeStep(
  { random }: Round,
  step: number,
  spool: Spool,
  printers: Printers,
  acknowledged: Set<string>,
): Promise<string> {
  const printerId = random.pick(["kitchen", "bar"] as const);
  const printer = printers[printerId];
  if (random.chance(0.45)) {
    const cause = `<${step}>`;
    const document = random.chance(0.7) ? "station" : "receipt";
    const answer = await spool.ask({ do: "add", cause, printerId, document });
    if (answer !== null) acknowledged.add(cause);
    return `${document} ${cause} to ${printerId}`;
  }
  // A silent printer without paper or with an open cover would swallow documents, and no hub could know: never both at once.
  const isSilent = printer.faults.isSilent;
  const act = random.pick([
    "after",
    "after",
    "mend",
    "off",
    "on",
    "paper",
    "cover",
    "slow",
    "kill",
    "kill",
    "stop",
    "again",
  ]);
  if (act === "after") {
    const broken = ["reset", "close", "die"] as const;
    const fault = random.pick(isSilent ? broken : ([...broken, "paper_out", "cover_open"] as const));
    const bytes = random.int(0, 120);
    printer.faults.after = { bytes, fault };
    return `${printerId}: ${fault} after ${bytes}`;
  }
  if (act === "mend") printer.mend();
  else if (act === "off") await printer.refuse();
  else if (act === "on") await printer.listen();
  else if (act === "paper") printer.faults.paper = isSilent ? "enough" : "out";
  else if (act === "cover") printer.faults.isCoverOpen = !isSilent;
  else if (act === "slow") printer.faults.slowMs = random.int(20, 300);
  else if (act === "again") {
    const open = ((await spool.ask<SpoolJob[]>({ do: "jobs" })) ?? []).filter(({ isOpen }) => isOpen === 1);
    if (open.length > 0) await spool.ask({ do: "again", jobId: random.pick(open).jobId });
  } else if (act === "stop") await spool.restart(false);
  else {
    // Slows the printer down, so that a job is usually in progress.
    printer.faults.slowMs ||= random.int(0, 60);
    const cause = `<${step}>`;
    const answer = await spool.ask({ do: "add", cause, printerId, document: "receipt" });
    if (answer !== null) acknowledged.add(cause);
    await pause(random.int(0, 200));
    await spool.restart(true);
  }
  return act === "kill" || act === "stop" || act === "again" ? act : `${printerId}: ${act}`;
}

async function finished(spool: Spool): Promise<SpoolJob[] | null> {
  const jobs = await spool.ask<SpoolJob[]>({ do: "jobs" });
  return jobs?.every(({ state }) => state !== "waiting" && state !== "printing") === true ? jobs : null;
}

/** Compares what came out of the printers with the hub's job states. */
function checkPrinted(
  round: Round,
  jobs: readonly SpoolJob[],
  printers: readonly FakePrinter[],
  acknowledged: ReadonlySet<string>,
  scenario: string,
): void {
  const papers = printers
    .flatMap((printer) => printer.documents())
    .flatMap(({ bytes, isCut, unprinted }) => {
      const { lines, cuts } = decode(bytes);
      const text = lines.map((line) => line.text).join(" ");
      return isCut || unprinted > 0 || cuts === 0 ? [] : [{ text, isCopy: text.includes("COPIA") }];
    });
  const family = Map.groupBy(jobs, ({ cause }) => cause);
  for (const cause of acknowledged) if (!family.has(cause)) round.report("lost", `${cause} is in no list: ${scenario}`);
  for (const [cause, members] of family) {
    const story = `${cause} (${members.map(({ state, error, copy }) => `${state} ${error ?? ""} ${copy}`).join("; ")}): ${scenario}`;
    const out = papers.filter(({ text }) => text.includes(cause));
    const originals = out.filter(({ isCopy }) => !isCopy);
    if (originals.length > 1) round.report("doubled", `${originals.length} originals of ${story}`);
    const printed = members.filter(({ state }) => state === "printed");
    if (out.length < printed.length) round.report("lost", `${out.length} came out of ${story}`);
    if (out.length === 0 && !members.some(({ isOpen }) => isOpen === 1))
      round.report("hidden", `nobody is told of ${story}`);
  }
}

/** Runs the program on one data file, across kills and restarts. */
async function startSpool(entry: string, file: string, printers: Printers) {
  let program: Program = await start();
  async function start(): Promise<Program> {
    return startProgram([entry, file, JSON.stringify(settings)], {}, path.dirname(file));
  }
  /** Returns null if the command was refused or the program ended meanwhile. */
  async function ask<T = unknown>(command: SpoolCommand): Promise<T | null> {
    const answer = await fetch(program.url, { method: "POST", body: JSON.stringify(command) });
    return answer.ok ? ((await answer.json()) as T) : null;
  }
  await ask({ do: "printer", id: "bar", address: printers.bar.address });
  await ask({ do: "printer", id: "kitchen", address: printers.kitchen.address, fallback: "bar" });
  return {
    ask,
    async restart(isKilled: boolean): Promise<void> {
      if (isKilled) await program.kill();
      else await ask({ do: "stop" }).then(() => program.ended);
      program = await start();
    },
    kill: () => program.kill(),
  };
}

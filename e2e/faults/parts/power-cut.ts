import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fill, openWatchedTestBed, type TestBed } from "../test-bed.ts";
import { compareLedger, createLedger, ledgerUntil, type Ledger } from "../ledger.ts";
import { reportDifferences, type Part, type Round } from "../part.ts";
import { copyFolder, differingFiles, writeImage, type Fate } from "./power-cut-images.ts";
import { createPreload } from "../preload.ts";
import { probeWrites } from "../probe.ts";
import { readHub, reportsDataFile } from "../read-hub.ts";
import { tryStart } from "../try-start.ts";
import { readWriteLog, type LogEntry } from "../write-log.ts";

const CHECKS = 24;
const fates: readonly Fate[] = ["torn", "torn", "torn", "dropped", "kept"];

/** A run of the hub with a log of all its writes. */
interface Recording {
  name: string;
  base: string;
  entries: LogEntry[];
  ledger: Ledger;
}

/** The power is cut at any write. The hub must start on the remains without help, with everything that it had acknowledged. */
export const powerCut: Part = {
  name: "power-cut",
  rounds: { long: 150, short: 12 },
  concurrency: 2,
  async open({ folder, random }) {
    const empty = join(folder, "empty");
    mkdirSync(empty);
    const bed = await openWatchedTestBed(folder, { log: true });
    let { preload } = bed;
    const recordings: Recording[] = [];
    const promised = createLedger();

    /** Works with the running hub, ends it and records the log of what was written since `base`. */
    const record = async (name: string, from: string, end: "stop" | "kill"): Promise<void> => {
      const own = createLedger();
      const { logBytes, logFile } = preload;
      await fill(bed, { ledger: own, name, checks: CHECKS / 2, random, mark: logBytes });
      const backup = bed.post("/operator/v1/backups", {});
      // Awaited below; avoids an unhandled rejection.
      backup.catch(() => {});
      await fill(bed, { ledger: own, name: `${name}-later`, checks: CHECKS / 2, random, mark: logBytes });
      await backup;
      if (end === "stop") await bed.restaurant.hub().stop();
      else await bed.restaurant.killHub();
      const entries = readWriteLog(logFile);
      checkLog({ base: from, entries, data: bed.data, target: join(folder, "whole") });
      // The acknowledgements of earlier runs must hold at any moment of this one.
      const ledger: Ledger = {
        acknowledged: [...promised.acknowledged, ...own.acknowledged],
        created: [...promised.created, ...own.created],
        discarding: own.discarding,
      };
      for (const each of own.acknowledged) promised.acknowledged.push({ ...each, mark: 0 });
      for (const each of own.created) promised.created.push({ ...each, mark: 0 });
      recordings.push({ name, base: from, entries, ledger });
    };
    const startAgain = async (name: string): Promise<string> => {
      const base = join(folder, `before-${name}`);
      copyFolder(bed.data, base);
      preload = createPreload(bed.data, folder, { log: true });
      await bed.restaurant.startHub(preload.env);
      return base;
    };
    await record("first", empty, "stop");
    await record("second", await startAgain("second"), "kill");
    await record("third", await startAgain("third"), "stop");
    await bed.acceptForwards(false);
    return {
      run: (round) => cutPower(bed, recordings[round.index % recordings.length]!, round),
      close: () => bed.restaurant.close(),
    };
  },
};

async function cutPower(bed: TestBed, { name, base, entries, ledger }: Recording, round: Round): Promise<void> {
  const { random } = round;
  const count = chooseCut(entries, round);
  const fate = random.pick(fates);
  const data = join(round.folder, "data");
  writeImage({ base, entries, count, fate, random, target: data });
  const promised = ledgerUntil(ledger, entries[count - 1]?.end ?? 0);
  const scenario = `power cut in the ${name} run after ${count} of ${entries.length} writes, the unsynced ones ${fate}`;
  const start = await tryStart(bed.envOn(data), data);
  round.addOperations(1 + promised.acknowledged.length);
  if (start.kind === "broke") return round.report("hidden", `${scenario}: the hub ${start.description}`);
  if (start.kind === "refused") {
    // After a power cut the hub must start without an operator, unless the file contains nothing acknowledged yet.
    if (promised.acknowledged.length > 0)
      round.report("lost", `${scenario}: the hub refused to start: ${start.sentence}`);
    return;
  }
  const { hub } = start;
  try {
    const view = await readHub(hub.url, bed.tokens);
    reportDifferences(round, scenario, compareLedger(promised, view));
    if (promised.created.length > 0) {
      const again = await probeWrites(bed, { url: hub.url, ledger: promised, random });
      for (const refused of again.refused) round.report("lost", `${scenario}: ${refused}`);
      for (const doubled of again.doubled) round.report("doubled", `${scenario}: ${doubled}`);
    }
    if (await reportsDataFile(hub.url)) round.report("broken", `${scenario}: a false alarm, health says data_file`);
  } finally {
    await hub.kill();
  }
}

/** Returns any position, or one next to a sync, rename, removal or truncation. */
function chooseCut(entries: readonly LogEntry[], { random }: Round): number {
  if (random.chance(0.5)) return random.int(1, entries.length);
  const decisive = entries.flatMap(({ kind }, i) => (kind === "write" || kind === "open" ? [] : [i]));
  return Math.max(1, Math.min(entries.length, random.pick(decisive) + random.int(0, 2)));
}

/** Checks that the whole log reproduces the folder. Otherwise it has missed a write, and its images would prove nothing. */
function checkLog(input: { base: string; entries: LogEntry[]; data: string; target: string }): void {
  const { base, entries, data, target } = input;
  const never = { next: () => 0, int: () => 0, pick: <T>(list: readonly T[]) => list[0]!, chance: () => false };
  writeImage({ base, entries, count: entries.length, fate: "kept", random: never, target });
  const differing = differingFiles(target, data);
  if (differing.length > 0) throw new Error(`the write log is not whole: ${differing.join(", ")} differ`);
}

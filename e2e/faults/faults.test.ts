import { describe, expect, it } from "vitest";
import type { Part } from "./part.ts";
import { backOffice } from "./back-office.ts";
import { clocks } from "./clocks.ts";
import { damage } from "./damage.ts";
import { fullDisk } from "./full-disk.ts";
import { ioErrors } from "./io-errors.ts";
import { kill } from "./kill.ts";
import { largeFile } from "./large-file.ts";
import { readFaultOptions } from "./options.ts";
import { powerCut } from "./power-cut.ts";
import { restores } from "./restores.ts";
import { runPart } from "./run-part.ts";
import { terminals } from "./terminals.ts";

/** Always the same chance: `npm run test:faults` is the place for another. */
const SEED = "comanda";
const PART_MS = 180_000;

/** The short form of a part; fails with everything that it found. */
async function expectNothing(part: Part): Promise<void> {
  const { findings, rounds, operations } = await runPart(part, { seed: SEED, rounds: part.rounds.short });
  expect(findings).toEqual([]);
  expect({ rounds, isWorking: operations > 0 }).toEqual({ rounds: part.rounds.short, isWorking: true });
}

describe("faults", () => {
  it("[FAULT-1] kill -9 of the hub loses and doubles nothing", () => expectNothing(kill), PART_MS);
  it("[FAULT-2] a power cut at any write loses nothing", () => expectNothing(powerCut), PART_MS);
  it("[FAULT-3] a damaged file of the data folder is never hidden", () => expectNothing(damage), PART_MS);
  it("[FAULT-4] damage of a large data file is found while it is in use", () => expectNothing(largeFile), PART_MS);
  it("[FAULT-5] a restore that was cut off leaves the old file or the backup", () => expectNothing(restores), PART_MS);
  it("[FAULT-6] errors of the disk are said and pass without a trace", () => expectNothing(ioErrors), PART_MS);
  it("[FAULT-7] a full disk is said and passes without a trace", () => expectNothing(fullDisk), PART_MS);
  it("[FAULT-8] jumps of the wall clock lose and double nothing", () => expectNothing(clocks), PART_MS);
  it("[FAULT-9] a bad line to the back-office loses and doubles nothing", () => expectNothing(backOffice), PART_MS);
  it("[FAULT-10] killed terminals and a bad network lose and double nothing", () => expectNothing(terminals), PART_MS);
});

describe("the options of npm run test:faults", () => {
  const names = ["kill", "damage"];

  it("[FAULT-11] choose parts, rounds and the seed", () => {
    expect(readFaultOptions(["--only", "damage", "--cases", "300", "--seed", "7"], names)).toEqual({
      only: ["damage"],
      seed: "7",
      isShort: false,
      rounds: 300,
      round: null,
    });
  });

  it.each([
    [["--dance"], "--dance is no option"],
    [["--only", "dance"], "dance is no part"],
    [["--cases", "many"], '--cases is "many"'],
    [["--seed"], "--seed needs a value"],
  ])("[FAULT-11] refuses %j in words", (args, sentence) => {
    expect(() => readFaultOptions(args, names)).toThrow(sentence);
  });
});

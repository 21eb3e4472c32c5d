import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { prepareFolders, type Prepared } from "../prepared-folders.ts";
import { DATA_FILE, openTestBed } from "../test-bed.ts";
import type { Part } from "../part.ts";
import { probe } from "../probe.ts";
import type { Random } from "../random.ts";

/** Page size of the data file, in bytes. */
export const PAGE = 4096;
const kinds = [
  "gone",
  "empty",
  "truncated",
  "zeroed page",
  "flipped bit",
  "flipped bit at the start",
  "older",
] as const;
type Kind = (typeof kinds)[number];

interface Case {
  prepared: Prepared;
  hasBackups: boolean;
  /** Path relative to the folder. */
  file: string;
  kind: Kind;
}

/** One file of a data folder is damaged while the hub is down. Then everything must be there, or the hub must report it. */
export const damage: Part = {
  name: "damage",
  rounds: { long: 300, short: 20 },
  concurrency: 2,
  async open({ folder, random }) {
    const bed = await openTestBed();
    const prepared = await prepareFolders(bed, folder, random, 60);
    const cases = shuffled(prepared.flatMap(casesOf), random);
    return {
      async run(round) {
        const { prepared: source, hasBackups, file, kind } = cases[round.index % cases.length]!;
        const data = join(round.folder, "data");
        cpSync(source.folder, data, { recursive: true });
        if (!hasBackups) rmSync(join(data, "backups"), { recursive: true, force: true });
        const effect = damageFile({ data, file, older: source.older }, kind, round.random);
        const scenario = `${file} of a folder with a ${source.name} end${hasBackups ? "" : " without backups"}: ${effect}`;
        await probe(bed, { data, prepared: source, scenario, round });
      },
      close: () => bed.restaurant.close(),
    };
  },
};

function casesOf(prepared: Prepared): Case[] {
  const files = readdirSync(prepared.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(prepared.folder.length + 1));
  const all = files.flatMap((file) =>
    kinds.flatMap((kind) => [true, false].map((hasBackups) => ({ prepared, hasBackups, file, kind }))),
  );
  return all.filter(
    ({ file, kind, hasBackups }) =>
      (hasBackups || !file.startsWith("backups")) &&
      // An older file in place of a backup is what a restore handles.
      (kind !== "older" || (!file.startsWith("backups") && existsSync(join(prepared.older, file)))),
  );
}

/** Returns the cases in random order, those of the main file and its WAL earlier, because damage there matters most. */
function shuffled(cases: Case[], random: Random): Case[] {
  const keyed = cases.map((each) => ({ each, key: random.next() + (each.file.startsWith(DATA_FILE) ? 0 : 0.7) }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ each }) => each);
}

/** Damages the file; returns a description. */
export function damageFile(at: { data: string; file: string; older: string }, kind: Kind, random: Random): string {
  const path = join(at.data, at.file);
  const { size } = statSync(path);
  switch (kind) {
    case "gone":
      rmSync(path);
      return "gone";
    case "empty":
      truncateSync(path, 0);
      return "empty";
    case "truncated": {
      const length = random.int(0, Math.max(0, size - 1));
      truncateSync(path, length);
      return `cut to ${length} of ${size} bytes`;
    }
    case "zeroed page": {
      const from = random.int(0, Math.max(0, Math.ceil(size / PAGE) - 1)) * PAGE;
      overwrite(path, from, Buffer.alloc(Math.min(PAGE, size - from)));
      return `zeros from ${from} on, of ${size} bytes`;
    }
    case "flipped bit":
      return flipBit(path, random.int(0, Math.max(0, size - 1)), random);
    case "flipped bit at the start":
      // Within the header of the main file, or the WAL's header and first frame.
      return flipBit(path, random.int(0, Math.min(size, PAGE + 56) - 1), random);
    case "older":
      copyFileSync(join(at.older, at.file), path);
      return "an older copy in its place";
  }
}

function flipBit(path: string, at: number, random: Random): string {
  const { size } = statSync(path);
  if (size === 0) return "empty as it was";
  const byte = Buffer.alloc(1);
  const file = openSync(path, "r");
  readSync(file, byte, 0, 1, at);
  closeSync(file);
  const bit = random.int(0, 7);
  overwrite(path, at, Buffer.from([(byte[0] ?? 0) ^ (1 << bit)]));
  return `bit ${bit} of byte ${at} flipped, of ${size} bytes`;
}

/** Overwrites bytes of a file in place. */
export function overwrite(path: string, from: number, bytes: Buffer): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, from);
  closeSync(file);
}

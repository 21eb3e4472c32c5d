import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Random } from "../random.ts";
import type { LogEntry } from "../write-log.ts";

/**
 * The disk after a power cut, rebuilt from a write log. The model:
 * - Everything written to a file before its last sync is there.
 * - A write after that is there, missing, or torn: only some of its 512-byte sectors are there. Writes and truncations may
 *   be reordered.
 * - Creations, renames and removals keep their order, as on a journaling file system. A prefix of them is there, at least up
 *   to the last one that a sync of the folder, or of the file itself, has covered.
 */
export type Fate = "dropped" | "kept" | "torn";

const SECTOR = 512;

type Content = Extract<LogEntry, { kind: "write" | "truncate" }>;
type Naming = Extract<LogEntry, { kind: "create" | "rename" | "unlink" | "mkdir" }>;

interface File {
  durable: GrowingBytes;
  pending: Content[];
}

/** The content of a file, which changes are applied to in memory. */
interface GrowingBytes {
  apply(change: Content): void;
  bytes(): Buffer;
}

/** Writes into `target` the disk's content for a power cut after the first `count` entries on top of `base`. */
export function writeImage(input: {
  base: string;
  entries: readonly LogEntry[];
  count: number;
  fate: Fate;
  random: Random;
  target: string;
}): void {
  const { base, entries, count, fate, random, target } = input;
  const atStart = readFiles(base);
  const names = new Map(atStart);
  const files = new Map<number, File>();
  const namings: { entry: Naming; file: File | undefined }[] = [];
  let durableNamings = 0;

  for (const entry of entries.slice(0, count)) {
    switch (entry.kind) {
      case "open": {
        const file = names.get(entry.path);
        if (file !== undefined) files.set(entry.file, file);
        break;
      }
      case "write":
      case "truncate":
        files.get(entry.file)?.pending.push(entry);
        break;
      case "sync": {
        const file = files.get(entry.file);
        if (file === undefined) break;
        for (const each of file.pending) file.durable.apply(each);
        file.pending = [];
        durableNamings = Math.max(durableNamings, namings.findLastIndex((naming) => naming.file === file) + 1);
        break;
      }
      case "sync folder":
        durableNamings = namings.length;
        break;
      case "create":
        files.set(entry.file, { durable: growingBytes(Buffer.alloc(0)), pending: [] });
        namings.push({ entry, file: files.get(entry.file) });
        rename(names, namings.at(-1)!);
        break;
      case "rename":
        namings.push({ entry, file: names.get(entry.path) });
        rename(names, namings.at(-1)!);
        break;
      case "unlink":
      case "mkdir":
        namings.push({ entry, file: undefined });
        rename(names, namings.at(-1)!);
        break;
    }
  }

  const keptNamings = fate === "kept" ? namings.length : random.int(durableNamings, namings.length);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const remaining = new Map(atStart);
  for (const naming of namings.slice(0, fate === "dropped" ? durableNamings : keptNamings)) {
    rename(remaining, naming);
    if (naming.entry.kind === "mkdir") mkdirSync(join(target, naming.entry.path), { recursive: true });
  }
  for (const [path, file] of remaining) {
    for (const each of survivors(file.pending, fate, random)) file.durable.apply(each);
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), file.durable.bytes());
  }
}

/** Returns the files in which two folders differ. Ignores the WAL's index, which SQLite maps into memory and rebuilds. */
export function differingFiles(one: string, other: string): string[] {
  const [left, right] = [readFiles(one), readFiles(other)];
  return [...new Set([...left.keys(), ...right.keys()])].filter((path) => {
    const [a, b] = [left.get(path), right.get(path)];
    return (
      !path.endsWith("-shm") && (a === undefined || b === undefined || !a.durable.bytes().equals(b.durable.bytes()))
    );
  });
}

export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
}

function rename(names: Map<string, File>, { entry, file }: { entry: Naming; file: File | undefined }): void {
  switch (entry.kind) {
    case "create":
      if (file !== undefined) names.set(entry.path, file);
      return;
    case "rename":
      names.delete(entry.path);
      if (file !== undefined && entry.to !== "") names.set(entry.to, file);
      return;
    case "unlink":
      for (const path of names.keys()) {
        if (path === entry.path || path.startsWith(`${entry.path}/`)) names.delete(path);
      }
      return;
    case "mkdir":
  }
}

function survivors(pending: Content[], fate: Fate, random: Random): Content[] {
  if (fate === "kept") return pending;
  if (fate === "dropped") return [];
  return pending.flatMap((each) => {
    if (random.chance(0.4)) return [each];
    if (each.kind === "truncate" || random.chance(0.4)) return [];
    return torn(each, random);
  });
}

/** Returns some of a write's sectors. */
function torn(write: Extract<Content, { kind: "write" }>, random: Random): Content[] {
  const sectors: Content[] = [];
  for (let from = 0; from < write.bytes.length;) {
    const until = from + SECTOR - ((write.offset + from) % SECTOR);
    const bytes = write.bytes.subarray(from, until);
    if (random.chance(0.5)) sectors.push({ ...write, offset: write.offset + from, bytes });
    from = until;
  }
  return sectors;
}

function growingBytes(start: Buffer): GrowingBytes {
  let buffer = start;
  let length = start.length;
  /** Grows the buffer; the bytes past `length` are always zero. */
  const reach = (end: number): void => {
    if (end > buffer.length) buffer = Buffer.concat([buffer.subarray(0, length), Buffer.alloc(2 * end - length)]);
    length = Math.max(length, end);
  };
  return {
    apply(change) {
      if (change.kind === "write") {
        reach(change.offset + change.bytes.length);
        change.bytes.copy(buffer, change.offset);
        return;
      }
      reach(change.length);
      buffer.fill(0, change.length, length);
      length = change.length;
    },
    bytes: () => buffer.subarray(0, length),
  };
}

function readFiles(folder: string): Map<string, File> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), { durable: growingBytes(readFileSync(path)), pending: [] }];
    }),
  );
}

import { readFileSync } from "node:fs";

/** A program's file operations as logged by preload/storage.c. Files have numbers; `path` is relative to the folder. */
export type LogEntry = { end: number } & (
  | { kind: "write"; file: number; offset: number; bytes: Buffer }
  | { kind: "truncate"; file: number; length: number }
  | { kind: "sync"; file: number }
  /** Opens a file that already existed. */
  | { kind: "open"; file: number; path: string }
  | { kind: "create"; file: number; path: string }
  /** Empty for a path outside the folder. */
  | { kind: "rename"; path: string; to: string }
  /** Removes a file, or a folder with its content. */
  | { kind: "unlink"; path: string }
  | { kind: "mkdir"; path: string }
  | { kind: "sync folder" }
);

const HEAD_BYTES = 32;

/** Reads a write log; an entry's `end` is its end offset in the log, in bytes. */
export function readWriteLog(file: string): LogEntry[] {
  const log = readFileSync(file);
  const entries: LogEntry[] = [];
  for (let at = 0; at + HEAD_BYTES <= log.length;) {
    const kind = log.readUInt32LE(at);
    const number = log.readInt32LE(at + 4);
    const pathLength = log.readUInt32LE(at + 8);
    const otherLength = log.readUInt32LE(at + 12);
    const offset = Number(log.readBigInt64LE(at + 16));
    const length = Number(log.readBigInt64LE(at + 24));
    at += HEAD_BYTES;
    const path = log.toString("utf8", at, (at += pathLength));
    const to = log.toString("utf8", at, (at += otherLength));
    const bytes = kind === 1 ? log.subarray(at, (at += length)) : Buffer.alloc(0);
    entries.push({ end: at, ...entryOf({ kind, file: number, path, to, offset, length, bytes }) });
  }
  return entries;
}

type Entry = LogEntry extends infer Each ? (Each extends unknown ? Omit<Each, "end"> : never) : never;

function entryOf(raw: {
  kind: number;
  file: number;
  path: string;
  to: string;
  offset: number;
  length: number;
  bytes: Buffer;
}): Entry {
  const { file, path, to, offset, length, bytes } = raw;
  switch (raw.kind) {
    case 1:
      return { kind: "write", file, offset, bytes };
    case 2:
      return { kind: "truncate", file, length };
    case 3:
      return { kind: "sync", file };
    case 4:
      return { kind: "open", file, path };
    case 5:
      return { kind: "create", file, path };
    case 6:
      return { kind: "rename", path, to };
    case 7:
      return { kind: "unlink", path };
    case 8:
      return { kind: "sync folder" };
    case 9:
      return { kind: "mkdir", path };
    default:
      throw new Error(`the write log has an entry of the unknown kind ${raw.kind}`);
  }
}

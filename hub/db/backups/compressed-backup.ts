import { createHash } from "node:crypto";
import { closeSync, fdatasyncSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { messageOf } from "../../platform/error-facts.ts";
import { requireSomeSpace, requireSpace } from "../files/disk-space.ts";
import { syncFile, syncFolderOf, withFile } from "../files/files.ts";
import { createPace, SYNC_BYTES } from "../files/pace.ts";
import { createPrivate } from "../files/private-files.ts";
import { partialName } from "./partial-name.ts";

/**
 * A compressed backup has one zstd frame per 4 MiB, so it can be read and written in small steps. Its facts come first, and
 * skippable frames separate the data frames: `zstd -d` reads it like any other file.
 */
const CHUNK_BYTES = 4 * 1024 * 1024;
const FACTS_MAGIC = 0x184d2a51;
const LENGTH_MAGIC = 0x184d2a50;
/** Magic number and length of a skippable frame. */
const HEAD_BYTES = 8;
const MAX_FACTS_BYTES = 4_096;

/** Position of a backup among those of its hub, by content: clocks and file times may be wrong. */
export interface BackupPlace {
  generation: number;
  seq: number;
  /** Name of the data file, or null if the backup does not contain it. */
  fileName: string | null;
  hubId: string;
}

interface CompressedFacts extends BackupPlace {
  /** Size when unpacked. */
  bytes: number;
}

/** Thrown when a compressed backup is damaged. */
export class DamagedBackupError extends Error {
  override readonly name = "DamagedBackupError";
}

export function compressedName(file: string): string {
  return `${file}.zst`;
}

export function isCompressed(file: string): boolean {
  return file.endsWith(compressedName(""));
}

/**
 * Replaces a plain backup with its compressed form, after reading that back. Yields its progress from 0 to 1. If killed, one of
 * the two stays complete. `dbPath` is the data file of the hub that runs this.
 */
export function* compressBackup(file: string, place: BackupPlace, dbPath: string): Generator<number | undefined, void> {
  const target = compressedName(file);
  yield* compressInto(file, place, { target, part: partialName(target, dbPath) });
  rmSync(file, { force: true });
}

/** `part`: path while the file is written. `target`: path after it was read back completely. */
interface Target {
  target: string;
  part: string;
}

/** Compresses a plain backup, with the same verification as `copyVerified`. Yields its progress from 0 to 1. */
export function compressInto(file: string, place: BackupPlace, to: Target): Generator<number | undefined, void> {
  const facts = { ...place, bytes: statSync(file).size } satisfies CompressedFacts;
  return writeVerified(file, to, {
    head: skippedFrame(FACTS_MAGIC, Buffer.from(JSON.stringify(facts))),
    encode(chunk) {
      const frame = zstdCompressSync(chunk, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
      const length = Buffer.alloc(4);
      length.writeUInt32LE(frame.length);
      return [skippedFrame(LENGTH_MAGIC, length), frame];
    },
    read: readChunks,
  });
}

/**
 * Copies a file and reads the copy back before renaming it to its target. Yields its progress from 0 to 1. Throws a
 * NoSpaceError, or a DamagedBackupError if the copy reads differently; then removes the copy.
 */
export function copyVerified(file: string, to: Target): Generator<number | undefined, void> {
  return writeVerified(file, to, { head: Buffer.alloc(0), encode: (chunk) => [chunk], read: readPieces });
}

/** How a file is encoded, and decoded again for verification. */
interface Form {
  head: Buffer;
  encode(chunk: Buffer): Buffer[];
  read(part: string): Iterable<{ chunk: Buffer; progress: number }>;
}

function* writeVerified(file: string, { target, part }: Target, form: Form): Generator<number | undefined, void> {
  const pace = createPace();
  const [written, readBack] = [createHash("sha256"), createHash("sha256")];
  try {
    rmSync(part, { force: true });
    createPrivate(part);
    const to = openSync(part, "r+");
    const write = createWriter(to);
    try {
      write(form.head);
      for (const { chunk, progress } of readPieces(file)) {
        requireSomeSpace(path.dirname(part));
        written.update(chunk);
        for (const bytes of form.encode(chunk)) write(bytes);
        pace();
        yield 0.7 * progress;
      }
    } finally {
      closeSync(to);
    }
    syncFile(part);
    for (const { chunk, progress } of form.read(part)) {
      readBack.update(chunk);
      pace();
      yield 0.7 + 0.3 * progress;
    }
    if (!written.digest().equals(readBack.digest()))
      throw new DamagedBackupError(`${part} was not written as it should`);
    renameSync(part, target);
    syncFolderOf(target);
  } finally {
    rmSync(part, { force: true });
  }
}

function* readPieces(file: string): Generator<{ chunk: Buffer; progress: number }, void> {
  const from = openSync(file, "r");
  try {
    const { size } = statSync(file);
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const chunk = readExactly(from, at, Math.min(CHUNK_BYTES, size - at));
      yield { chunk, progress: (at + chunk.length) / size };
    }
  } finally {
    closeSync(from);
  }
}

/** Unpacks a compressed backup. Yields its progress. Throws a NoSpaceError or a DamagedBackupError. */
export function* unpackBackup(compressed: string, target: string): Generator<number | undefined, void> {
  requireSpace(path.dirname(target), readCompressedFacts(compressed).bytes);
  createPrivate(target);
  const to = openSync(target, "r+");
  const write = createWriter(to);
  try {
    for (const { chunk, progress } of readChunks(compressed)) {
      write(chunk);
      yield progress;
    }
  } finally {
    closeSync(to);
  }
}

/** Yields the unpacked content of a compressed backup in chunks. Throws a DamagedBackupError. */
export function* readChunks(compressed: string): Generator<{ chunk: Buffer; progress: number }, void> {
  const { bytes } = readCompressedFacts(compressed);
  let done = 0;
  for (const frame of readFrames(compressed, (from, at, length) => readExactly(from, at, length))) {
    const chunk = decompress(frame);
    done += chunk.length;
    yield { chunk, progress: done / bytes };
  }
  if (done !== bytes) throw new DamagedBackupError(`it ends after ${done} of ${bytes} bytes`);
}

/** Whether a compressed backup has its beginning and end. Does not unpack it, so it is fast at any size. */
export function isWholeInOutline(compressed: string): boolean {
  try {
    const { bytes } = readCompressedFacts(compressed);
    let frames = 0;
    // Reads the last byte of each frame, which shows a truncated file.
    for (const _ of readFrames(compressed, (from, at, length) => readExactly(from, at + length - 1, 1))) frames += 1;
    return frames === Math.ceil(bytes / CHUNK_BYTES);
  } catch {
    return false;
  }
}

/** Reads the facts at the start of a compressed backup. Throws a DamagedBackupError. */
export function readCompressedFacts(compressed: string): CompressedFacts {
  try {
    return withFile(compressed, "r", (from) => {
      const length = readSkippedLength(from, 0, FACTS_MAGIC);
      if (length > MAX_FACTS_BYTES) throw new DamagedBackupError("its beginning is damaged");
      return JSON.parse(readExactly(from, HEAD_BYTES, length).toString()) as CompressedFacts;
    });
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamagedBackupError("its beginning is damaged");
    throw error;
  }
}

function* readFrames<T>(compressed: string, read: (from: number, at: number, length: number) => T): Generator<T, void> {
  const from = openSync(compressed, "r");
  try {
    const { size } = statSync(compressed);
    let at = HEAD_BYTES + readSkippedLength(from, 0, FACTS_MAGIC);
    while (at < size) {
      readSkippedLength(from, at, LENGTH_MAGIC);
      const length = readExactly(from, at + HEAD_BYTES, 4).readUInt32LE();
      if (length === 0 || length > 2 * CHUNK_BYTES) throw new DamagedBackupError("the length of a frame is damaged");
      at += HEAD_BYTES + 4;
      yield read(from, at, length);
      at += length;
    }
  } finally {
    closeSync(from);
  }
}

function decompress(frame: Buffer): Buffer {
  try {
    return zstdDecompressSync(frame, { maxOutputLength: CHUNK_BYTES });
  } catch (error) {
    throw new DamagedBackupError(messageOf(error));
  }
}

function skippedFrame(magic: number, content: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(magic, 0);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

function readSkippedLength(from: number, at: number, magic: number): number {
  const head = readExactly(from, at, HEAD_BYTES);
  if (head.readUInt32LE(0) !== magic) throw new DamagedBackupError("it is not a compressed backup");
  return head.readUInt32LE(4);
}

function readExactly(from: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const read = readSync(from, bytes, done, length - done, at + done);
    if (read === 0) throw new DamagedBackupError("it is cut off");
    done += read;
  }
  return bytes;
}

/** Appends to a file and regularly waits until the data is on disk. */
function createWriter(to: number): (bytes: Buffer) => void {
  let unsynced = 0;
  return (bytes) => {
    for (let done = 0; done < bytes.length;) done += writeSync(to, bytes, done);
    unsynced += bytes.length;
    if (unsynced < SYNC_BYTES) return;
    fdatasyncSync(to);
    unsynced = 0;
  };
}

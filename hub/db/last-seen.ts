import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type Database from "better-sqlite3";
import { withFile } from "./files/files.ts";
import { createPrivate } from "./files/private-files.ts";

/** The position of a data file's history when the hub last noted it beside the file. */
export interface LastSeen {
  hubId: string;
  generation: number;
  epoch: string;
  seq: number;
}

/** The note is overwritten in place, so it has a fixed length that fits into one sector. */
const NOTE_BYTES = 256;

/**
 * Notes the position of the data file beside it. Without this note the hub could not detect that the file was deleted or
 * replaced by an older copy, or that its write-ahead log was emptied. Call it when everything up to `seen` is durable. If
 * the note cannot be written, the previous one stays, which claims less.
 */
export function noteLastSeen(file: string, seen: LastSeen): void {
  try {
    createPrivate(noteFile(file));
    withFile(noteFile(file), "r+", (handle) => writeNote(handle, seen));
  } catch {
    // The disk may be full. The note only serves to detect losses later.
  }
}

/** Notes the position after each commit, without syncing: if a power cut loses the latest note, the older one claims less. */
export function createPlaceNote(db: Database.Database, file: string) {
  const place = db.prepare<[], LastSeen>(PLACE);
  let handle: number | null = null;
  let lastSeq = -1;

  return {
    note(): void {
      const seen = place.get();
      if (seen === undefined || seen.seq === lastSeq) return;
      try {
        handle ??= openSync(noteFile(file), "r+");
        writeNote(handle, seen);
        lastSeq = seen.seq;
      } catch {
        // As in `noteLastSeen`.
      }
    },
    close(): void {
      if (handle !== null) closeSync(handle);
      handle = null;
    },
  };
}

function writeNote(handle: number, seen: LastSeen): void {
  writeSync(handle, JSON.stringify(seen).padEnd(NOTE_BYTES), 0);
}

/** Reads the note beside a data file; null if it is missing or cannot be read. */
export function readLastSeen(file: string): LastSeen | null {
  try {
    const { hubId, generation, epoch, seq } = JSON.parse(readFileSync(noteFile(file), "utf8")) as LastSeen;
    const isWhole = typeof hubId === "string" && typeof generation === "number" && typeof seq === "number";
    return isWhole ? { hubId, generation, epoch, seq } : null;
  } catch {
    return null;
  }
}

export function isLastSeenNoted(file: string): boolean {
  return existsSync(noteFile(file));
}

export function forgetLastSeen(file: string): void {
  rmSync(noteFile(file), { force: true });
}

/** Whether the position `now` is behind `seen`, or is of another hub. */
export function isBehind(now: LastSeen, seen: LastSeen): boolean {
  if (now.hubId !== seen.hubId) return true;
  if (now.generation !== seen.generation) return now.generation < seen.generation;
  return now.seq < seen.seq;
}

const PLACE = "SELECT hub_id AS hubId, generation, epoch, seq FROM hub_state";

function noteFile(file: string): string {
  return `${file}.last-seen`;
}

/** Reads the current position of the history in a data file. */
export function readPlace(db: Database.Database): LastSeen {
  const place = db.prepare<[], LastSeen>(PLACE).get();
  if (place === undefined) throw new Error("the data file has no hub state");
  return place;
}

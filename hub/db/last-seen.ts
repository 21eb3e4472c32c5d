import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type Database from "better-sqlite3";
import { withFile } from "./files/files.ts";
import { createPrivate } from "./files/private-files.ts";

/** How far a data file had come when its hub last wrote that down beside it. */
export interface LastSeen {
  hubId: string;
  generation: number;
  epoch: string;
  seq: number;
}

/** The note is written in place: it always has this length, and lies in one sector. */
const NOTE_BYTES = 256;

/**
 * Notes beside the data file how far it has come. Without this note a file that is deleted, or replaced by an older copy
 * of itself, looks like a new hub or like a quiet one, and a log that was emptied like one that had nothing in it. Call it
 * when everything up to `seen` is durable in the file; where the note cannot be written the former one stays, which
 * claims less.
 */
export function noteLastSeen(file: string, seen: LastSeen): void {
  try {
    createPrivate(noteFile(file));
    withFile(noteFile(file), "r+", (handle) => writeNote(handle, seen));
  } catch {
    // A full disk: nothing depends on the note but what it may prove later.
  }
}

/** Notes the same after each commit, as long as the hub runs. No note is synced: one that a power cut takes along claims less. */
export function createPlaceNote(db: Database.Database, file: string) {
  const place = db.prepare<[], LastSeen>(PLACE);
  let handle: number | null = null;
  let noted = -1;

  return {
    note(): void {
      const seen = place.get();
      if (seen === undefined || seen.seq === noted) return;
      try {
        handle ??= openSync(noteFile(file), "r+");
        writeNote(handle, seen);
        noted = seen.seq;
      } catch {
        // As above.
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

/** The note beside a data file; null where there is none or it cannot be read. */
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

/** Whether a data file has less in it than its hub had written to it before. */
export function isBehind(now: LastSeen, seen: LastSeen): boolean {
  if (now.hubId !== seen.hubId) return true;
  if (now.generation !== seen.generation) return now.generation < seen.generation;
  return now.seq < seen.seq;
}

const PLACE = "SELECT hub_id AS hubId, generation, epoch, seq FROM hub_state";

function noteFile(file: string): string {
  return `${file}.last-seen`;
}

/** How far the history in a data file has come. */
export function readPlace(db: Database.Database): LastSeen {
  const place = db.prepare<[], LastSeen>(PLACE).get();
  if (place === undefined) throw new Error("the data file has no hub state");
  return place;
}

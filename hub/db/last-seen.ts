import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import type Database from "better-sqlite3";
import { writePrivate } from "./private-files.ts";

/** How far a data file had come when its hub last wrote that down beside it. */
export interface LastSeen {
  hubId: string;
  generation: number;
  epoch: string;
  seq: number;
}

/**
 * Notes beside the data file how far it has come. Without this note a file that is deleted, or replaced by an older copy
 * of itself, looks like a new hub or like a quiet one. Call it when everything up to `seen` is durable in the file; where
 * the note cannot be written the former one stays, which claims less.
 */
export function noteLastSeen(file: string, seen: LastSeen): void {
  const note = noteFile(file);
  try {
    writePrivate(`${note}.part`, JSON.stringify(seen));
    renameSync(`${note}.part`, note);
  } catch {
    // A full disk: nothing depends on the note but what it may prove later.
  }
}

/** The note beside a data file; null where there is none or it cannot be read. */
export function readLastSeen(file: string): LastSeen | null {
  try {
    const { hubId, generation, epoch, seq } = JSON.parse(readFileSync(noteFile(file), "utf8")) as LastSeen;
    return typeof hubId === "string" && typeof seq === "number" ? { hubId, generation, epoch, seq } : null;
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

function noteFile(file: string): string {
  return `${file}.last-seen`;
}

/** How far the history in a data file has come. */
export function readPlace(db: Database.Database): LastSeen {
  const place = db.prepare<[], LastSeen>("SELECT hub_id AS hubId, generation, epoch, seq FROM hub_state").get();
  if (place === undefined) throw new Error("the data file has no hub state");
  return place;
}

import { openReadOnly } from "../db/open-read-only.ts";
import { createMemory } from "../db/remembered.ts";
import { MEMORY } from "./trusted-time.ts";

/** Returns the time that the hub of a data file saved last, ms since 1970; 0 if it cannot be read. */
export function savedTime(file: string): number {
  try {
    const db = openReadOnly(file);
    try {
      return createMemory(db).read(MEMORY)?.at ?? 0;
    } finally {
      db.close();
    }
  } catch {
    // A backup may be made of a damaged file, too.
    return 0;
  }
}

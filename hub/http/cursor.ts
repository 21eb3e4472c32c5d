import { HubError } from "../platform/errors.ts";

/** The place where the page before ended; null for the first page. Refuses what no page has given out. */
export function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw new HubError("VALIDATION_ERROR", "cursor: is not one that this list gave");
  return Number(cursor);
}

import { HubError } from "../platform/errors.ts";

/** Returns where the previous page ended, or null for the first page. Throws VALIDATION_ERROR for an invalid cursor. */
export function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw new HubError("VALIDATION_ERROR", "cursor: does not come from this list");
  return Number(cursor);
}

/** Returns the cursor of the next page, or null if this page, of at most `limit` rows, is the last. */
export function nextCursor<T>(rows: readonly T[], limit: number, placeOf: (row: T) => number): string | null {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return last === undefined ? null : String(placeOf(last));
}

/** Parses a number from a path. Throws NOT_FOUND if it is not one. */
export function requireNumber(text: string, noun: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HubError("NOT_FOUND", `there is no ${noun} ${text}`);
  return Number(text);
}

import { HubError } from "../platform/errors.ts";

/** Where the previous page ended; null for the first page. Refuses a cursor that no page has returned. */
export function readCursor(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw new HubError("VALIDATION_ERROR", "cursor: does not come from this list");
  return Number(cursor);
}

/** The cursor of the next page; null when this page, of at most `limit` rows, is the last. */
export function nextCursor<T>(rows: readonly T[], limit: number, placeOf: (row: T) => number): string | null {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return last === undefined ? null : String(placeOf(last));
}

/** The number that names something in an address; anything else names nothing. */
export function requireNumber(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HubError("NOT_FOUND", `there is no ${what} ${text}`);
  return Number(text);
}

import { HubError } from "../platform/errors.ts";

/** The number that names something in an address; anything else names nothing. */
export function requireNumber(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new HubError("NOT_FOUND", `there is no ${what} ${text}`);
  return Number(text);
}

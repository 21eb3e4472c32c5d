// When the hub moves to another port, its page gets a new origin with empty session storage. The address carries unfinished
// input, which the preload script restores before the page's own code runs.
import { type PageWithAddress, takeParameter, withParameter } from "./page-address.ts";

const prefix = "comanda-draft-";
const MAX_LENGTH = 8_000;

/** Runs in the old page and returns its drafts as JSON. */
export const collectDrafts = `JSON.stringify(Object.entries(sessionStorage).filter(([key]) => key.startsWith("${prefix}")))`;

/** Adds the drafts to the new address, unless they are too long. */
export function withDrafts(address: string, drafts: string): string {
  if (drafts === "[]" || drafts.length > MAX_LENGTH) return address;
  return withParameter(address, "drafts", drafts);
}

/** Moves the drafts from the address to session storage. Accepts only names of drafts. */
export function restoreDrafts(
  page: PageWithAddress & { sessionStorage: { setItem: (key: string, value: string) => void } },
): void {
  const drafts = takeParameter(page, "drafts");
  for (const [key, value] of readDrafts(drafts ?? "[]")) page.sessionStorage.setItem(key, value);
}

function readDrafts(text: string): [string, string][] {
  try {
    const list = JSON.parse(text) as unknown;
    if (!Array.isArray(list)) return [];
    return list.filter((entry): entry is [string, string] => {
      return (
        Array.isArray(entry) &&
        typeof entry[0] === "string" &&
        entry[0].startsWith(prefix) &&
        typeof entry[1] === "string"
      );
    });
  } catch {
    return [];
  }
}

// When the hub gets another port, its page gets another origin, and with it another session storage. What a person was
// in the middle of goes along in the address, for the preload script to put back before the page's own code runs.

const prefix = "comanda-draft-";
const LONGEST = 8_000;

/** Run in the page that is left: its drafts as JSON. */
export const collectDrafts = `JSON.stringify(Object.entries(sessionStorage).filter(([key]) => key.startsWith("${prefix}")))`;

/** The address to load instead, with the drafts in it; too much is left behind. */
export function withDrafts(address: string, drafts: string): string {
  if (drafts === "[]" || drafts.length > LONGEST) return address;
  const url = new URL(address);
  url.searchParams.set("drafts", drafts);
  return url.href;
}

/** Run by the preload script: takes the drafts out of the address. Only names that are drafts are taken. */
export function restoreDrafts(page: {
  location: { href: string };
  sessionStorage: { setItem: (key: string, value: string) => void };
  history: { replaceState: (state: null, unused: string, url: string) => void };
}): void {
  const url = new URL(page.location.href);
  const drafts = url.searchParams.get("drafts");
  if (drafts === null) return;
  for (const [key, value] of readDrafts(drafts)) page.sessionStorage.setItem(key, value);
  url.searchParams.delete("drafts");
  page.history.replaceState(null, "", url.href);
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

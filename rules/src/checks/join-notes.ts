import { MAX_CHECK_NOTES } from "@comanda/protocol/bounds.ts";

const SEPARATOR = " / ";

/** Joins the notes of checks that become one, each once, up to the length of a note; empty if there are none. */
export function joinNotes(notes: readonly (string | null | undefined)[]): string {
  const parts = notes.flatMap((note) => note?.split(SEPARATOR) ?? []).map((part) => part.trim());
  const joined = [...new Set(parts)].filter((part) => part !== "").join(SEPARATOR);
  // The cut may leave half of a character, which is no valid text.
  return joined.slice(0, MAX_CHECK_NOTES).toWellFormed();
}

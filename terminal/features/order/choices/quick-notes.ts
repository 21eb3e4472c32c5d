/** A note as it is made up: quick ones that were tapped, and what was written. */
export interface NoteParts {
  quick: readonly string[];
  free: string;
}

const BETWEEN = ", ";

/** Takes a note apart again; what is not one of `known` was written. */
export function readNote(note: string, known: readonly string[]): NoteParts {
  const parts = note.split(BETWEEN).filter(Boolean);
  return {
    quick: parts.filter((part) => known.includes(part)),
    free: parts.filter((part) => !known.includes(part)).join(BETWEEN),
  };
}

export function writeNote({ quick, free }: NoteParts): string {
  return [...quick, free.trim()].filter(Boolean).join(BETWEEN);
}

/** The parts of a note: the quick words tapped, and the text typed. */
export interface NoteParts {
  quick: readonly string[];
  free: string;
}

const BETWEEN = ", ";

/** Splits a note into its parts; words not in `quickNotes` count as typed. */
export function readNote(note: string, quickNotes: readonly string[]): NoteParts {
  const parts = note.split(BETWEEN).filter(Boolean);
  return {
    quick: parts.filter((part) => quickNotes.includes(part)),
    free: parts.filter((part) => !quickNotes.includes(part)).join(BETWEEN),
  };
}

export function writeNote({ quick, free }: NoteParts): string {
  return [...quick, free.trim()].filter(Boolean).join(BETWEEN);
}

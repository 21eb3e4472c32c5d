/** Fields of a line in which a person writes more than one line. */
const NOTES: ReadonlySet<string> = new Set(["note", "specialRequest", "voidReason"]);

/** Line breaks of all kinds, tabs, and every control of a text's direction: in a name they lie about what follows. */
const NOT_OF_ONE_LINE = /[\t\n\r\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** The characters that no text of one line has, for a regular expression with the flag u: those, all controls, half surrogate pairs. */
export const NOT_PLAIN = "\\p{Cc}\\p{Cs}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";

/** Names of guests, waiters and buyers are at most so long. */
export const NAME_LENGTH = 120;

export const ONE_LINE = "must be one line without characters that turn its direction around";

/** The places of a line's texts, but notes, that are more than one line or that turn the direction of what follows around. */
export function brokenLineTexts(line: object): string[][] {
  const found: string[][] = [];
  collect(line, [], found);
  return found;
}

/** Runs for every line of every write: nothing is made for what is as it has to be. */
function collect(record: object, path: readonly string[], found: string[][]): void {
  for (const key of Object.keys(record)) {
    const value = (record as Record<string, unknown>)[key];
    if (NOTES.has(key)) continue;
    if (typeof value === "string") {
      if (NOT_OF_ONE_LINE.test(value)) found.push([...path, key]);
    } else if (typeof value === "object" && value !== null) collect(value, [...path, key], found);
  }
}

/** A text of the back-office as it may stand in a message: a space for each character that no text of a line has. */
export function oneLine(text: string): string {
  return text.replaceAll(new RegExp(`[${NOT_PLAIN}\\u061c\\u200e\\u200f]`, "gu"), " ");
}

/** A person's name of the back-office as it may stand in a message. */
export function plainName(name: string): string {
  return oneLine(name.slice(0, NAME_LENGTH)).trim();
}

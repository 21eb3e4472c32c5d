/** Fields of a line that may hold several lines of text. */
const NOTES: ReadonlySet<string> = new Set(["note", "specialRequest", "voidReason"]);

/** All line breaks, tabs and direction controls, which could disguise what follows a name. */
const NOT_OF_ONE_LINE = /[\t\n\r\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** The characters not allowed in one-line text (line breaks, controls, lone surrogates), for a regex with the flag u. */
export const NOT_PLAIN = "\\p{Cc}\\p{Cs}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";

/** Maximum length of the names of guests, waiters and buyers. */
export const NAME_LENGTH = 120;

export const ONE_LINE = "must be one line without characters that turn its direction around";

/** Returns the paths of a line's texts, except notes, that have several lines or characters that change the text direction. */
export function brokenLineTexts(line: object): string[][] {
  const found: string[][] = [];
  collect(line, [], found);
  return found;
}

/** Runs for every line of every write, so it allocates nothing for valid texts. */
function collect(record: object, path: readonly string[], found: string[][]): void {
  for (const key of Object.keys(record)) {
    const value = (record as Record<string, unknown>)[key];
    if (NOTES.has(key)) continue;
    if (typeof value === "string") {
      if (NOT_OF_ONE_LINE.test(value)) found.push([...path, key]);
    } else if (typeof value === "object" && value !== null) collect(value, [...path, key], found);
  }
}

/** Makes a back-office text safe for a message: replaces each character that is not allowed in one-line text by a space. */
export function oneLine(text: string): string {
  return text.replaceAll(new RegExp(`[${NOT_PLAIN}\\u061c\\u200e\\u200f]`, "gu"), " ");
}

/** Makes a person's name from the back-office safe for a message. */
export function plainName(name: string): string {
  return oneLine(name.slice(0, NAME_LENGTH)).trim();
}

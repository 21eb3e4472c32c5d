/** Decodes a text file as Windows programs may write it: removes the byte order mark; falls back to Windows-1252. */
export function fileText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  // PowerShell's `>` writes UTF-16.
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** An assignment of only blanks. Without removing them, Node would take the value from the next line. */
const BLANK = /^([ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=)[ \t]+(?=\r?$)/gm;

/** Returns the text of an `.env` file, prepared for Node's `parseEnv`. */
export function envText(bytes: Uint8Array): string {
  return fileText(bytes).replace(BLANK, "$1");
}

/** The text of a file as Windows programs write it, too: with a mark of its encoding, which is left out, and in the code page of Western Europe. */
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

/** An assignment of nothing but blanks, beyond which Node looks for the value on the next line. */
const BLANK = /^([ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=)[ \t]+(?=\r?$)/gm;

/** The text of an `.env` file, for Node's `parseEnv`. */
export function envText(bytes: Uint8Array): string {
  return fileText(bytes).replace(BLANK, "$1");
}

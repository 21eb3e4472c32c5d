const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses bytes as JSON in UTF-8; returns undefined if they are not. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

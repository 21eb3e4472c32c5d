const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What bytes say as JSON in UTF-8; undefined where they are none. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

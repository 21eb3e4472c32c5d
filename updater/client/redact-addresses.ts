/**
 * Shortens every address in a text to its host. A pre-signed address is a credential until it expires, and errors of download
 * code quote it in full.
 */
export function redactAddresses(text: string): string {
  return text
    .replace(/\b(https?:\/\/)(?:[^\s/"'<>@]*@)?([^\s/"'<>?#]+)[^\s"'<>]*/gi, "$1$2/…")
    .replace(/(\/[^\s"'<>?]*)\?[^\s"'<>]*=[^\s"'<>]*/g, "$1?…");
}

/** Returns one sentence to show for an error. */
export function describeProblem(error: unknown): string {
  const { message, detail } =
    error instanceof Error ? (error as Error & { detail?: unknown }) : { message: String(error) };
  return redactAddresses(typeof detail === "string" ? `${message} (${detail})` : message).split("\n", 1)[0] ?? "";
}

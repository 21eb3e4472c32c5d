/** `YYYY-MM-DD HH:MM:SS` (UTC, as the given API writes it) as ISO 8601. */
export function utcToIso(text: string): string {
  return text.includes("T") ? text : `${text.replace(" ", "T")}Z`;
}

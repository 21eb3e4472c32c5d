export type CsvCell = string | number | null;

/** Returns a table for a spreadsheet, with a byte order mark so that it is read as UTF-8. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cellText).join(",")).join("\r\n")}\r\n`;
}

/** Formats a time as 2026-11-29 19:42 by the restaurant's clock, which a spreadsheet reads as a time and sorts by. */
export function csvTime(iso: string, timeZone: string | undefined): string {
  return new Date(iso).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone });
}

/** Escapes a cell. A spreadsheet would execute text that begins like a formula, some also after spaces or in wide letters. */
function cellText(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

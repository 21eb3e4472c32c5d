export type CsvCell = string | number | null;

/** A table for a spreadsheet, with a mark that has it read as UTF-8. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cellText).join(",")).join("\r\n")}\r\n`;
}

/** 2026-11-29 19:42 by the restaurant's clock: a spreadsheet reads it as a time, and sorts by it. */
export function csvTime(iso: string, timeZone: string | undefined): string {
  return new Date(iso).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone });
}

/** A spreadsheet would carry out what begins like a formula. */
function cellText(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

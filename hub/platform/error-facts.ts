// Facts about errors. Imports nothing, so that job threads load no schemas.

/** Returns the code of a system or SQLite error, or "" if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether SQLite reports a damaged file. */
export function isCorrupt(error: unknown): error is Error & { code: string } {
  const code = codeOf(error);
  return code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB";
}

/** Whether SQLite reports a disk that is full, or cannot be read or written. */
export function isDiskFailure(error: unknown): boolean {
  const code = codeOf(error);
  return ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN"].some((each) => code.startsWith(each));
}

/** Whether an error means that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "SQLITE_FULL"].includes(codeOf(error));
}

const NEW_CHECK = "/takeaway/new";
let scanned: string | null = null;

/** Begins the next check without a table with what was scanned where none is open. */
export function beginWithScan(code: string, go: (path: string) => void): void {
  scanned = code;
  go(NEW_CHECK);
}

/** What the check that is shown now, at `path`, begins with; null: nothing, or it has begun. */
export function takeScan(path: string): string | null {
  const code = path === NEW_CHECK ? scanned : null;
  scanned = null;
  return code;
}

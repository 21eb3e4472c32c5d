let scanned: string | null = null;

/** Begins the next check without a table with what was scanned where none is open. */
export function beginWithScan(code: string, go: (path: string) => void): void {
  scanned = code;
  go("/takeaway/new");
}

/** What the check that is shown now begins with; null: nothing, or it has begun. */
export function takeScan(): string | null {
  const code = scanned;
  scanned = null;
  return code;
}

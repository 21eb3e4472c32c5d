const NEW_CHECK = "/takeaway/new";
let scanned: string | null = null;

/** Opens a new check without a table for a code scanned where no check is open. */
export function beginWithScan(code: string, go: (path: string) => void): void {
  scanned = code;
  go(NEW_CHECK);
}

/** Returns the scanned code for the check shown at `path` and clears it; null if there is none or it was taken. */
export function takeScan(path: string): string | null {
  const code = path === NEW_CHECK ? scanned : null;
  scanned = null;
  return code;
}

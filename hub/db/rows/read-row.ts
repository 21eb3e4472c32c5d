/** Applies `read` to a row; returns null if there is no row. */
export function readRow<R, T>(row: R | undefined, read: (row: R) => T): T | null {
  return row === undefined ? null : read(row);
}

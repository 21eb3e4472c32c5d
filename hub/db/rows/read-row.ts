/** What `read` makes of a row; null where there is none. */
export function readRow<R, T>(row: R | undefined, read: (row: R) => T): T | null {
  return row === undefined ? null : read(row);
}

/** Classes of SQLSTATE for faulty data: invalid, breaking a constraint, or too large. */
const DATA_CLASSES = ["21", "22", "23", "54"];

/** Returns whether the data to write caused an error, rather than the database, its connection or another transaction. */
export function isDataError(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return false;
  return error.code.length === 5 && DATA_CLASSES.includes(error.code.slice(0, 2));
}

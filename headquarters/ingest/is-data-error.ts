/** Classes of SQLSTATE that say something of the data: it is wrong, breaks a constraint, or is too much. */
const DATA_CLASSES = ["21", "22", "23", "54"];

/** Whether what was to be written is to blame, rather than the database, the line to it, or another transaction. */
export function isDataError(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return false;
  return error.code.length === 5 && DATA_CLASSES.includes(error.code.slice(0, 2));
}

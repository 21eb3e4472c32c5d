/** Returns an error's message. Connecting to a host with several addresses fails with no message but one error per address. */
export function errorWords(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(errorWords).join("; ");
  return error instanceof Error ? error.message : String(error);
}

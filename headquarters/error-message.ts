/** Returns an error's message. Connecting to a host with several addresses fails with no message but one error per address. */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(errorMessage).join("; ");
  return error instanceof Error ? error.message : String(error);
}

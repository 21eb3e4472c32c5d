/** What an error says. That of a host with several addresses says nothing itself, and has an error for each of them. */
export function errorWords(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(errorWords).join("; ");
  return error instanceof Error ? error.message : String(error);
}

import type { LogEvent } from "@comanda/protocol";

/** The facts of a log line that the screens put into words, by its event; the message is for the reader of the log. */
export function logEvent(event: LogEvent, facts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { event, ...facts };
}

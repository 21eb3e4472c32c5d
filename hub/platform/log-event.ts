import type { LogEvent } from "@comanda/protocol";

/** Returns the fields of a log line that the screens describe by its event. The log's reader gets the message. */
export function logEvent(event: LogEvent, facts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { event, ...facts };
}

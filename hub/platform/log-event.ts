import type { LogEvent } from "@comanda/protocol";

/** Returns the fields of a log line. The screens describe it by `event`; its message is for readers of the log. */
export function logEvent(event: LogEvent, facts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { event, ...facts };
}

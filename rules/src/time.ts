// The one place of the rulebook that names Date: it turns given times into each other, and reads no clock.
/* oxlint-disable no-restricted-globals */

/** Milliseconds since 1970 as ISO 8601. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** ISO 8601 as milliseconds since 1970. */
export const timeOf = (iso: string): number => Date.parse(iso);

// The only module of the rules that uses Date. It converts given times and reads no clock.
/* oxlint-disable no-restricted-globals */

/** Converts ms since 1970 to ISO 8601. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Converts ISO 8601 to ms since 1970. */
export const timeOf = (iso: string): number => Date.parse(iso);

/** Tolerance between the clocks of terminals for events that follow each other directly. */
export const SLACK_MS = 2_000;

/** Returns a timestamp (ms since 1970), moved into the past if it is in the future: the clock was set back since. */
export const pastTime = (at: number, now: number): number => (at > now ? now - SLACK_MS : at);

// The one place of the rulebook that names Date: it turns given times into each other, and reads no clock.
/* oxlint-disable no-restricted-globals */

/** Milliseconds since 1970 as ISO 8601. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** ISO 8601 as milliseconds since 1970. */
export const timeOf = (iso: string): number => Date.parse(iso);

/** What terminals' clocks may differ by when two things are done right after each other. */
export const SLACK_MS = 2_000;

/** A stamp (ms since 1970) as `now` knows it: one from the future is from before the clock was put back, not of right now. */
export const pastTime = (at: number, now: number): number => (at > now ? now - SLACK_MS : at);

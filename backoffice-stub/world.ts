import { randomBytes } from "node:crypto";
import type { Logger } from "pino";

/** The environment of the stand-in. Tests replace the clock. */
export interface World {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Returns a session id like Odoo's: 84 characters of `A-Z a-z 0-9 _ -`. */
  newSessionId: () => string;
  log: Logger;
}

export function realWorld(log: Logger): World {
  return { now: () => Date.now(), newSessionId: () => randomBytes(63).toString("base64url"), log };
}

const santoDomingoOffsetMs = -4 * 60 * 60 * 1000;

/** Returns the date in Santo Domingo (UTC-4, no summer time), `YYYY-MM-DD`, by which fiscal numbers expire. */
export function fiscalDay(atMs: number): string {
  return new Date(atMs + santoDomingoOffsetMs).toISOString().slice(0, 10);
}

/** Returns the time in Santo Domingo, `HH:MM:SS`. */
export function fiscalTime(atMs: number): string {
  return new Date(atMs + santoDomingoOffsetMs).toISOString().slice(11, 19);
}

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

import { randomBytes } from "node:crypto";
import type { Logger } from "pino";

/** What the stand-in needs of its machine; tests replace the clock. */
export interface World {
  /** Milliseconds since 1970. */
  now: () => number;
  /** A session id as Odoo makes them: 84 characters of `A-Z a-z 0-9 _ -`. */
  newSessionId: () => string;
  log: Logger;
}

export function realWorld(log: Logger): World {
  return { now: () => Date.now(), newSessionId: () => randomBytes(63).toString("base64url"), log };
}

const santoDomingoOffsetMs = -4 * 60 * 60 * 1000;

/** The calendar day in Santo Domingo (UTC-4, no summer time), `YYYY-MM-DD`: fiscal numbers expire by it. */
export function fiscalDay(atMs: number): string {
  return new Date(atMs + santoDomingoOffsetMs).toISOString().slice(0, 10);
}

/** The time of day there, `HH:MM:SS`. */
export function fiscalTime(atMs: number): string {
  return new Date(atMs + santoDomingoOffsetMs).toISOString().slice(11, 19);
}

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

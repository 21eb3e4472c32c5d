import { createHash, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import type { Logger } from "pino";
import { tailOf } from "./log.ts";
import type { LogTail } from "./log-tail.ts";

/** What the hub uses from outside besides sockets and files: time, randomness, timers and the log. */
export interface World {
  clock: {
    /** Wall time in ms since 1970, only for timestamps. */
    now(): number;
    /** Milliseconds that never jump, for leases, heartbeats, rates and time-outs. */
    monotonic(): number;
    /** Seconds since the machine started, including time asleep. */
    uptime(): number;
    /** A new id after each start of the machine; null if the system has none. */
    bootId(): string | null;
  };
  random: { bytes(size: number): Buffer; uuid(): string };
  timers: {
    setTimeout(work: () => void, ms: number): NodeJS.Timeout;
    clearTimeout(timer: NodeJS.Timeout | undefined): void;
    setImmediate(work: () => void): void;
    /** Aborts with a TimeoutError after `ms`. */
    timeoutSignal(ms: number): AbortSignal;
  };
  log: Logger;
  /** The last lines of `log`, for the screens. */
  logTail?: LogTail;
}

/** The real world. Its timers never keep the process alive by themselves. */
export function realWorld(log: Logger): World {
  const bootId = readBootId();
  return {
    clock: { now: () => Date.now(), monotonic: () => performance.now(), uptime, bootId: () => bootId },
    random: { bytes: randomBytes, uuid: () => randomUUID() },
    timers: {
      setTimeout: (work, ms) => setTimeout(work, ms).unref(),
      clearTimeout: (timer) => clearTimeout(timer),
      setImmediate: (work) => void setImmediate(work),
      timeoutSignal: (ms) => AbortSignal.timeout(ms),
    },
    log,
    logTail: tailOf(log),
  };
}

/** Returns the world for one package: its log lines carry the package's name, by which the log screen filters. */
export function withComponent(world: World, component: string): World {
  return { ...world, log: world.log.child({ component }) };
}

/** Reads the boot id, which only Linux has. */
function readBootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

/** Returns `YYYY-MM-DD HH:MM:SS` in UTC, the form used in an order's envelope and in keys. */
export function sqlTime(ms: number): string {
  return isoTime(ms).slice(0, 19).replace("T", " ");
}

/** Returns ISO 8601 in UTC, the form used everywhere else. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

import { pino, type Logger } from "pino";
import type { LogLevel } from "./config.ts";

/** JSON lines on standard output; tokens, passwords and secrets never reach them. */
export function createLog(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ["token", "password", "secret", "authorization", "*.token", "*.password", "*.secret", "*.authorization"],
      censor: "[redacted]",
    },
  });
}

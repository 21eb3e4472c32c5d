import { pino, type DestinationStream, type LevelWithSilent, type Logger } from "pino";
import { createLogTail, type LogTail } from "./log-tail.ts";

const tails = new WeakMap<Logger, LogTail>();

/** A log of JSON lines, on standard output or `destination` and in a tail for the screens. Secrets are redacted in both. */
export function createLog(level: LevelWithSilent, destination: DestinationStream = pino.destination(1)): Logger {
  const tail = createLogTail();
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ["token", "password", "secret", "authorization", "*.token", "*.password", "*.secret", "*.authorization"],
        censor: "[redacted]",
      },
    },
    pino.multistream([
      { level: "trace", stream: destination },
      { level: "trace", stream: tail },
    ]),
  );
  tails.set(log, tail);
  return log;
}

/** The last lines of a log from `createLog`; an empty tail for any other. */
export function tailOf(log: Logger): LogTail {
  return tails.get(log) ?? createLogTail();
}

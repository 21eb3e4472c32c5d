import { logFormat, type LoggingProgram } from "@comanda/protocol/log-format.ts";
import { pino, type DestinationStream, type LevelWithSilent, type Logger } from "pino";
import { createLogTail, type LogTail } from "./log-tail.ts";

const tails = new WeakMap<Logger, LogTail>();

/** Creates a log that writes to `destination` (standard output by default) and to a tail for the screens. */
export function createLog(
  level: LevelWithSilent,
  destination: DestinationStream = pino.destination(1),
  program: LoggingProgram = "hub",
): Logger {
  const tail = createLogTail();
  const log = pino(
    { level, ...logFormat(program) },
    pino.multistream([
      { level: "trace", stream: destination },
      { level: "trace", stream: tail },
    ]),
  );
  tails.set(log, tail);
  return log;
}

/** Returns the last lines of a log from `createLog`, or an empty tail for any other log. */
export function tailOf(log: Logger): LogTail {
  return tails.get(log) ?? createLogTail();
}

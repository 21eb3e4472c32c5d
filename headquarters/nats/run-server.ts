import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isListening } from "../is-listening.ts";

/** Longer than a server takes to read a store of several GB. */
const START_MS = 60_000;
/** A server whose disk was full may never end by itself. */
const STOP_MS = 10_000;

export type NatsServer = Awaited<ReturnType<typeof runNatsServer>>;

/**
 * Starts nats-server with a configuration file and waits until it answers at `port` of loopback. Appends its output to
 * `logFile`. Throws an Error if it ends first, or does not answer within START_MS.
 */
export async function runNatsServer(options: { program: string; configFile: string; port: number; logFile: string }) {
  const log = createWriteStream(options.logFile, { flags: "a", mode: 0o600 });
  const child = spawn(options.program, ["-c", options.configFile], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = endOf(child).finally(() => log.end());
  // Avoids an unhandled rejection: callers may or may not await `ended`.
  ended.catch(() => undefined);

  const deadline = performance.now() + START_MS;
  while (!(await isListening({ port: options.port, host: "127.0.0.1" }))) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      await ended;
      throw new Error(`nats-server ended while it started; what it said is in ${options.logFile}`);
    }
    if (performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`nats-server did not answer at port ${options.port} within ${START_MS / 1000} s`);
    }
    await pause(20);
  }
  const { pid } = child;
  if (pid === undefined) throw new Error("nats-server did not start");
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return {
    pid,
    /** Reloads the configuration with its users. Disconnects users that were removed. */
    reload: (): void => void child.kill("SIGHUP"),
    /** Resolves when the server has ended, by force after 10 s. A second call waits for the same end. */
    async stop(): Promise<void> {
      const force = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await end("SIGTERM");
      clearTimeout(force);
    },
    /** Ends the server at once, as a power cut would. */
    kill: (): Promise<void> => end("SIGKILL"),
    /** Resolves when the server has ended, for any reason. */
    ended,
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  await once(child, "close");
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { answers } from "../answers.ts";

/** Longer than a server needs that reads a store of several GB. */
const START_MS = 60_000;
/** One whose disk was full may end never. */
const STOP_MS = 10_000;

export type NatsServer = Awaited<ReturnType<typeof runNatsServer>>;

/**
 * Starts nats-server with a configuration file and waits until it answers at `port` of loopback. What it prints is appended to
 * `logFile`. Throws an Error where it ends before that.
 */
export async function runNatsServer(given: { program: string; configFile: string; port: number; logFile: string }) {
  const log = createWriteStream(given.logFile, { flags: "a", mode: 0o600 });
  const child = spawn(given.program, ["-c", given.configFile], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = endOf(child).finally(() => log.end());
  // Its end is told by `ended` to those who wait for it.
  ended.catch(() => undefined);

  const tooLate = performance.now() + START_MS;
  while (!(await answers({ port: given.port, host: "127.0.0.1" }))) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      await ended;
      throw new Error(`nats-server ended while it started; what it said is in ${given.logFile}`);
    }
    if (performance.now() > tooLate) {
      child.kill("SIGKILL");
      throw new Error(`nats-server did not answer at port ${given.port} within ${START_MS / 1000} s`);
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
    /** Reads its configuration again: who may connect. Those who may no more are cut. */
    reload: (): void => void child.kill("SIGHUP"),
    /** Resolves when it has ended, by force where it takes longer than 10 s; a second call waits for the same end. */
    async stop(): Promise<void> {
      const force = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await end("SIGTERM");
      clearTimeout(force);
    },
    /** Ends at once, as a power cut would. */
    kill: (): Promise<void> => end("SIGKILL"),
    /** Resolves when it has ended, wanted or not. */
    ended,
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  await once(child, "close");
}

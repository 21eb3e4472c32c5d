import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { compileCache } from "../../hub/test/support/data/compile-cache.ts";
import { withTimeout } from "./with-timeout.ts";

const root = join(import.meta.dirname, "../..");
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** One of the product's programs in a separate process. */
export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Thrown if a program ends before it is ready; `code` is null if it was killed. */
export class ProgramEndedError extends Error {
  override name = "ProgramEndedError";
  readonly code: number | null;
  readonly stderr: string;
  constructor(entry: string, ended: { code: number | null; stderr: string; output: string }) {
    super(`${entry} ended before it was ready:\n${ended.output}`);
    this.code = ended.code;
    this.stderr = ended.stderr;
  }
}

const READY_WITHIN_MS = 30_000;
/** A program stops within seconds. This allows for a busy machine, but is below a test's own timeout. */
const ENDED_WITHIN_MS = 45_000;

/**
 * Starts a program of the repository, with optional arguments, and waits for its `listening on` line. Throws a
 * ProgramEndedError if it ends before.
 */
export async function startProgram(
  program: string | string[],
  env: Record<string, string>,
  cwd: string,
  readyWithinMs = READY_WITHIN_MS,
) {
  const [entry = "", ...args] = [program].flat();
  const child = spawn(process.execPath, [resolve(root, entry), ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...compileCache, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  // "close" follows "exit": by then all output has been read.
  const ended = once(child, "close").then(() => {
    running.delete(child);
    return child.exitCode;
  });
  let output = "";
  let stderr = "";
  const { promise: listening, resolve: resolveUrl } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (stream === child.stderr) stderr += text;
      const [, url] = /^listening on (http:\S+)$/m.exec(output) ?? [];
      if (url !== undefined) resolveUrl(url);
    });
  }
  const startTimer = setTimeout(() => child.kill("SIGKILL"), readyWithinMs);
  const endedEarly = ended.then(() => null);
  const started = Promise.race([listening, endedEarly]);
  const url = await withTimeout(`the start of ${entry}`, started, readyWithinMs + ENDED_WITHIN_MS, lastOutput);
  clearTimeout(startTimer);
  if (url === null) throw new ProgramEndedError(entry, { code: child.exitCode, stderr, output });
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    /** Resolves with the exit code when the program has ended; null if a signal ended it. */
    ended,
    /** Returns the output so far. */
    output: () => output,
    /** Returns the standard error so far. */
    errors: () => stderr,
    /** Sends SIGTERM; resolves with the exit code. */
    async stop(): Promise<number | null> {
      if (running.has(child)) child.kill("SIGTERM");
      await withTimeout(`the end of ${entry} after SIGTERM`, ended, ENDED_WITHIN_MS, lastOutput);
      return child.exitCode;
    },
    /** Sends SIGKILL and waits for the end. */
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await withTimeout(`the end of ${entry} after SIGKILL`, ended, ENDED_WITHIN_MS, lastOutput);
    },
  };

  function lastOutput(): string {
    const status = running.has(child) ? "it runs" : `it ended with ${child.exitCode ?? child.signalCode}`;
    return `${status}; its last lines:\n${output.split("\n").slice(-15).join("\n")}`;
  }
}

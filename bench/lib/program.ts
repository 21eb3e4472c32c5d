import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { cpuMs, residentMiB } from "./process-usage.ts";

export const repoRoot = fileURLToPath(new URL("../..", import.meta.url));

export interface ProgramOptions {
  name: string;
  /** Path relative to the repository's root. */
  script: string;
  env?: Readonly<Record<string, string>>;
  nodeOptions?: readonly string[];
  readyWithinMs?: number;
}

/** A server under measurement, in a separate process. */
export interface Program {
  name: string;
  pid: number;
  /** URL from the program's line `listening on …`. */
  url: string;
  /** Ms from the spawn to that line. */
  startedInMs: number;
  cpuMs: () => number;
  residentMiB: () => number;
  /** Returns the last 8 KiB that the program has written to standard error. */
  errors: () => string;
  onErrorLine: (listener: (line: string) => void) => void;
  /** Calls `listener` for each further line of standard output. */
  onLine: (listener: (line: string) => void) => void;
  /** Sends SIGTERM (SIGKILL after 10 s) and waits for the end. */
  stop: () => Promise<void>;
  /** Kills the program with SIGKILL, like a power cut, and waits for the end. */
  kill: () => Promise<void>;
}

const ERRORS_SHOWN = 3;

const running = new Set<ChildProcess>();
process.once("exit", endPrograms);

/** Kills programs that a failed measurement has left running. */
export function endPrograms(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Starts a program and resolves at its line `listening on …`; throws with its last output if it ends before. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const startedAt = performance.now();
  // Started in another directory, so that a developer's .env does not affect the measurement.
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), resolve(repoRoot, options.script)], {
    cwd: tmpdir(),
    env: { ...inheritedEnvironment(), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const exited = once(child, "exit").then(() => void running.delete(child));
  const lastLines: string[] = [];
  let errorsShown = 0;
  const errorListeners: ((line: string) => void)[] = [];
  const lineListeners: ((line: string) => void)[] = [];
  const remember = (line: string): void => {
    lastLines.push(line);
    if (lastLines.length > 40) lastLines.shift();
  };
  createInterface({ input: child.stderr }).on("line", (line) => {
    remember(line);
    for (const listener of errorListeners) listener(line);
  });
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const match = /^listening on (http:\/\/\S+)$/.exec(line);
    if (match?.[1] !== undefined) return ready.resolve(match[1]);
    remember(line);
    for (const listener of lineListeners) listener(line);
    // Shows a server's errors beside the figures, up to a maximum.
    if (errorsShown < ERRORS_SHOWN && /"level":"(error|fatal)"/.test(line)) {
      errorsShown += 1;
      console.error(`  ${options.name} logged: ${line.slice(0, 600)}`);
    }
  });
  const timer = setTimeout(() => {
    ready.reject(new Error(`${options.name} did not say "listening on"`));
    child.kill("SIGKILL");
  }, options.readyWithinMs ?? 30_000);
  void exited.then(() => ready.reject(new Error(`${options.name} ended at once: ${lastLines.slice(-5).join(" | ")}`)));
  try {
    const url = await ready.promise;
    const pid = child.pid ?? 0;
    return {
      name: options.name,
      pid,
      url,
      startedInMs: performance.now() - startedAt,
      cpuMs: () => cpuMs(pid),
      residentMiB: () => residentMiB(pid),
      errors: () => lastLines.join("\n").slice(-8192),
      onErrorLine: (listener) => void errorListeners.push(listener),
      onLine: (listener) => void lineListeners.push(listener),
      stop: () => endChild(child, exited),
      async kill() {
        child.kill("SIGKILL");
        await exited;
      },
    };
  } finally {
    clearTimeout(timer);
  }
}

async function endChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exited;
  clearTimeout(force);
}

/** Returns the variables a program may inherit: the caller's shell settings must not affect a measurement. */
function inheritedEnvironment(): Record<string, string> {
  const inherited = ["PATH", "HOME", "LANG", "TMPDIR", "TZ"];
  return Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

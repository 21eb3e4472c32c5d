import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import type { HealthReport } from "@comanda/protocol";
import { onTestFinished } from "vitest";
import { atExit } from "./at-exit.ts";
import { connectTerminal, type TestTerminal } from "./connect-terminal.ts";

/** Path of the shipped bundle, which the test runner has built. */
export const hubProgram = path.resolve(import.meta.dirname, "../../../dist/hub/main.js");

export interface HubProgram {
  child: ChildProcess;
  url: string;
  /** All lines of standard output so far. */
  lines: string[];
  health(): Promise<HealthReport>;
  terminal(token: string, deviceId: string, fields?: Record<string, unknown>): Promise<TestTerminal>;
  /** Sends a signal and returns how the program ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface ProgramOptions {
  cwd?: string;
  /** Command-line arguments, such as `--empty`. */
  args?: readonly string[];
  /** Shell commands to run first, such as setting a limit. */
  shell?: string;
}

/** Starts the hub as a separate program. Killed with the test at the latest. */
export async function startHubProgram(
  env: Readonly<Record<string, string>>,
  options: ProgramOptions = {},
): Promise<HubProgram> {
  const child = spawnHub(env, options);
  const lines: string[] = [];
  if (child.stdout === null || child.stderr === null) throw new Error("the program's output is not read");
  child.stderr.pipe(process.stderr);
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      lines.push(line);
      const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
      if (address !== undefined) resolve(address.replace("0.0.0.0", "127.0.0.1"));
    });
    child.once("exit", () => reject(new Error("the hub ended before it was ready")));
  });
  const url = await ready;
  return {
    child,
    url,
    lines,
    health: async () => (await (await fetch(`${url}/health`)).json()) as HealthReport,
    terminal: (token, deviceId, fields = {}) =>
      connectTerminal(url.replace("http", "ws"), { type: "AUTH", token, deviceId, ...fields }),
    async end(signal) {
      const exit = once(child, "exit");
      child.kill(signal);
      const [code, endSignal] = (await exit) as [number | null, NodeJS.Signals | null];
      return { code, signal: endSignal };
    },
  };
}

/** Runs a hub that is expected not to start. Returns its exit code and standard error. */
export async function runHubToEnd(
  env: Readonly<Record<string, string>>,
  options: ProgramOptions = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawnHub(env, options);
  const [[code], stdout, stderr] = await Promise.all([once(child, "exit"), text(child.stdout!), text(child.stderr!)]);
  return { code: code as number | null, stdout, stderr };
}

/** Spawns the bare process, for tests that observe it in another way. */
export function spawnHub(
  env: Readonly<Record<string, string>>,
  { cwd = tmpdir(), args: programArgs = [], shell }: ProgramOptions,
): ChildProcess {
  const settings = { PATH: process.env["PATH"] ?? "", HUB_HOST: "127.0.0.1", HUB_MDNS_ENABLED: "false", ...env };
  const [command, args] =
    shell === undefined
      ? [process.execPath, [hubProgram, ...programArgs]]
      : ["bash", ["-c", `${shell}; exec "$0" "$@"`, process.execPath, hubProgram, ...programArgs]];
  const child = spawn(command, args, { cwd, env: settings, stdio: ["ignore", "pipe", "pipe"] });
  const kill = (): boolean => child.kill("SIGKILL");
  const cancelKill = atExit(kill);
  onTestFinished(() => {
    cancelKill();
    if (child.exitCode === null && child.signalCode === null) kill();
  });
  return child;
}

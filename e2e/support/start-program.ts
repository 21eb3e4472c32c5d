import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** One of the product's programs, running as a process of its own. */
export interface Program {
  /** `http://127.0.0.1:port`. */
  url: string;
  port: number;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: what a power cut leaves of a process. */
  kill(): Promise<void>;
  /** What it wrote so far. */
  output(): string;
}

/** Starts a program of the repository and waits for its `listening on` line; throws with its output if it ends before. */
export async function startProgram(entry: string, env: Record<string, string>, cwd: string): Promise<Program> {
  const child = spawn(process.execPath, [join(root, entry)], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const ended = once(child, "exit").then(() => void running.delete(child));
  let output = "";
  const { promise: listening, resolve: heard } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [, url] = /^listening on (http:\S+)$/m.exec(output) ?? [];
      if (url !== undefined) heard(url);
    });
  }
  const url = await Promise.race([listening, ended]);
  if (url === undefined) throw new Error(`${entry} ended before it was ready:\n${output}`);
  return {
    url,
    port: Number(new URL(url).port),
    output: () => output,
    async stop() {
      if (running.has(child)) child.kill("SIGTERM");
      await ended;
      return child.exitCode;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

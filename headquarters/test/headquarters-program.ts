import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { emptyFolder } from "./test-folder.ts";

const main = path.resolve(import.meta.dirname, "../main.ts");

const LISTENING = "listening on ";

export interface Program {
  child: ChildProcess;
  lines: string[];
  errors: string[];
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** Resolves with the address once the program serves. */
  url(): Promise<string>;
}

/** Starts headquarters as a separate process. */
export function startProgram(environment: NodeJS.ProcessEnv, cwd = emptyFolder()): Program {
  const env = { ...process.env, HQ_PORT: "0", ...environment };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"], cwd });
  const lines: string[] = [];
  const errors: string[] = [];
  const serving = Promise.withResolvers<string>();
  serving.promise.catch(() => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    if (line.startsWith(LISTENING)) serving.resolve(line.slice(LISTENING.length));
  });
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  const ended = once(child, "close").then(([code]: (number | null)[]) => {
    serving.reject(new Error(`headquarters ended: ${errors.join("\n")}`));
    return code ?? null;
  });
  const url = () => serving.promise;
  return { child, lines, errors, ended, url };
}

export async function endProgram({ child }: Program): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

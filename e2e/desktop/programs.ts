import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "./runtime.ts";

export interface Program {
  url: string;
  stop(): Promise<void>;
}

export function newFolder(name: string): string {
  return mkdtempSync(path.join(tmpdir(), `comanda-${name}-`));
}

/** What a failed test left running ends with its worker. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill();
});

/** Starts one of the product's programs and waits for its "listening on" line. */
export async function startProgram(main: string, env: Record<string, string>): Promise<Program> {
  const options = {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"] as const,
    cwd: newFolder("cwd"),
  };
  const child = spawn(process.execPath, [path.join(root, main)], { ...options, stdio: [...options.stdio] });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void ended.then(() => running.delete(child));
  const stop = () => {
    child.kill();
    return ended;
  };
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, stop };
  }
  throw new Error(`${main} ended before it listened`);
}

export function startBackOffice(): Promise<Program> {
  const file = path.join(newFolder("back-office"), "back-office.sqlite");
  return startProgram("backoffice-stub/main.ts", { BACKOFFICE_PORT: "0", BACKOFFICE_DB_PATH: file });
}

/** A session id of the back-office, as a terminal brings one. */
export async function signIn(backOffice: string, login: string): Promise<string> {
  const response = await fetch(`${backOffice}/web/session/authenticate`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", method: "call", params: { db: "demo", login, password: login } }),
  });
  const [, session] = /session_id=([^;]+)/.exec(response.headers.get("set-cookie") ?? "") ?? [];
  if (session === undefined) throw new Error(`${login} could not sign in`);
  return session;
}

/** Runs one of the build scripts; throws its output when it fails. */
export function runScript(script: string, args: string[], env: Record<string, string> = {}): void {
  const options = { env: { ...process.env, ...env }, cwd: newFolder("cwd"), encoding: "utf8" } as const;
  const done = spawnSync(process.execPath, [path.join(root, script), ...args], options);
  if (done.status !== 0) throw new Error(`${script} failed: ${done.stderr}`);
}

import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startProgram, type Program } from "../support/start-program.ts";
import { root } from "./runtime.ts";

export function newFolder(name: string): string {
  return mkdtempSync(path.join(tmpdir(), `comanda-${name}-`));
}

export function startBackOffice(): Promise<Program> {
  const folder = newFolder("back-office");
  const file = path.join(folder, "back-office.sqlite");
  return startProgram("backoffice-stub/main.ts", { BACKOFFICE_PORT: "0", BACKOFFICE_DB_PATH: file }, folder);
}

/** Runs one of the build scripts; throws with its output if it fails. */
export function runScript(script: string, args: string[], env: Record<string, string> = {}): void {
  const options = { env: { ...process.env, ...env }, cwd: newFolder("cwd"), encoding: "utf8" } as const;
  const done = spawnSync(process.execPath, [path.join(root, script), ...args], options);
  if (done.status !== 0) throw new Error(`${script} failed: ${done.stderr}`);
}

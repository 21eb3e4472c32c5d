import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

/** Installs a missing Debian package with the repository's helper. Throws the helper's message if that fails. */
export function requireSystemPackage(name: string): void {
  const done = spawnSync(process.execPath, [path.join(root, "build/testing/system-packages.ts"), name], {
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(done.stderr.trim());
}

/** Runs a program and returns its output. Throws with the program's own output if it fails. */
export function runTool(command: string, args: string[], env: Record<string, string> = {}): string {
  const done = spawnSync(command, args, { encoding: "utf8", env: { PATH: process.env["PATH"], ...env }, cwd: "/" });
  if (done.status !== 0)
    throw new Error(`${path.basename(command)}: ${done.error?.message ?? ""}${done.stderr}${done.stdout}`.trim());
  return done.stdout;
}

/** The Tauri signer, as its npm package installs it. */
export const tauri = path.join(root, "node_modules/.bin/tauri");

/** Runs `npm run sign`. */
export function runSign(args: string[], env: Record<string, string> = {}): string {
  return runTool(process.execPath, [path.join(root, "build/sign-release.ts"), ...args], env);
}

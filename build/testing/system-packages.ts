// Finds programs that the tests need and npm lacks, and installs them with apt if the machine allows it.
// `ensure(["minisign"])` from code, or `node build/testing/system-packages.ts minisign chromium` by hand.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";

/** Program names by Debian package, if they differ; for a package without a program, the full path of a file. */
const programs: Record<string, string> = {
  gcc: "cc",
  "chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell",
  "libc6-dev": "/usr/include/stdio.h",
  xvfb: "Xvfb",
  "avahi-utils": "avahi-publish",
  "avahi-daemon": "avahi-daemon",
};

export type Ensured = { ok: true; installed: string[] } | { ok: false; missing: string[]; reason: string };

/** Installs these Debian packages if their programs are missing. Never prompts; returns what is still missing. */
export function ensure(packages: readonly string[]): Ensured {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return { ok: true, installed: [] };

  const refused = aptProblem();
  if (refused !== undefined) return { ok: false, missing, reason: refused };

  apt(["update"]);
  const output = apt(["install", "-y", "--no-install-recommends", ...missing]);
  const stillMissing = missing.filter((name) => !isInstalled(name));
  if (stillMissing.length === 0) return { ok: true, installed: missing };
  return {
    ok: false,
    missing: stillMissing,
    reason: `apt-get could not install ${stillMissing.join(", ")}: ${lastLine(output)}`,
  };
}

/** Returns the sentence to print after `ensure` failed. */
export function explain(failed: Extract<Ensured, { ok: false }>): string {
  return `Missing on this machine: ${failed.missing.join(", ")} (${failed.reason}). Install with: apt-get install ${failed.missing.join(" ")}`;
}

/** Returns the full path of a program on PATH, or undefined. */
export function findProgram(name: string): string | undefined {
  const suffixes = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const folders = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin", "/sbin"];
  const candidates = folders.flatMap((folder) => suffixes.map((suffix) => path.join(folder, name + suffix)));
  return candidates.find((file) => path.isAbsolute(file) && isExecutable(file));
}

function isInstalled(debianPackage: string): boolean {
  const sign = programs[debianPackage] ?? debianPackage;
  return path.isAbsolute(sign) ? existsSync(sign) : findProgram(sign) !== undefined;
}

function aptProblem(): string | undefined {
  if (process.platform !== "linux" || findProgram("apt-get") === undefined) return "there is no apt-get here";
  if (process.getuid?.() !== 0) return "installing needs root";
  return undefined;
}

function apt(args: string[]): string {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const lock = ["-o", "DPkg::Lock::Timeout=120"];
  const done = spawnSync("apt-get", [...lock, ...args], { env, encoding: "utf8", timeout: 300_000 });
  return `${done.stdout ?? ""}${done.stderr ?? ""}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === import.meta.filename) {
  const result = ensure(process.argv.slice(2));
  if (!result.ok) console.error(explain(result));
  process.exitCode = result.ok ? 0 : 1;
}

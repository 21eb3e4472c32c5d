import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { makePrivateFolder, readIfPresent, writePrivate } from "@comanda/hub/db/files/private-files.ts";
import { hiddenSwitch, profileSwitch } from "./settings/login-item.ts";

/**
 * Returns the arguments with which the app restarts itself: those of this start, above all its profile. Leaves out what applied
 * to this start only: hidden, started by an installer, and the role, which is saved by then.
 */
export function argumentsOfNextStart(argv: readonly string[]): string[] {
  return argv
    .slice(1)
    .filter((arg) => arg !== hiddenSwitch && arg !== "--updated" && !/^--role(=|$)/.test(arg))
    .map((arg) =>
      arg.startsWith(profileSwitch) ? profileSwitch + path.resolve(arg.slice(profileSwitch.length)) : arg,
    );
}

/** Waits two minutes at most. A quit takes at most half a minute. */
const waitAndStart = `n=0
while kill -0 "$1" 2>/dev/null && [ $n -lt 120 ]; do sleep 1; n=$((n+1)); done
shift
exec "$@"`;

/**
 * Starts a program once a process has ended. Electron's own relaunch does not work for an AppImage, because its launcher is in
 * the mount that disappears with the process.
 */
export function startAfter(pid: number, program: string, args: readonly string[]): void {
  const parameters = ["-c", waitAndStart, "sh", String(pid), program, ...args];
  const child = spawn("/bin/sh", parameters, { detached: true, stdio: "ignore" });
  // Without a shell, nothing can be done: a person must start the app.
  child.once("error", () => undefined);
  child.unref();
}

const NextStart = z.object({ version: z.string(), args: z.array(z.string()) });
const notePath = (folder: string): string => path.join(folder, "next-start.json");

/** Saves arguments in the usual profile's folder, because a Windows installer starts the new version without any. */
export function saveForInstaller(folder: string, version: string, argv: readonly string[]): void {
  const args = argumentsOfNextStart(argv);
  if (args.length === 0) return;
  makePrivateFolder(folder);
  writePrivate(notePath(folder), JSON.stringify({ version, args } satisfies z.infer<typeof NextStart>));
}

/** Takes the arguments left by the previous version, once. Returns null if there are none or the version was not replaced. */
export function takeSavedByInstaller(folder: string, version: string): string[] | null {
  try {
    const note = readIfPresent(notePath(folder));
    rmSync(notePath(folder), { force: true });
    if (note === null) return null;
    const nextStart = NextStart.parse(JSON.parse(note.toString("utf8")));
    return nextStart.version === version ? null : nextStart.args;
  } catch {
    return null;
  }
}

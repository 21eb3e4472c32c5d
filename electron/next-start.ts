import { spawn } from "node:child_process";
import path from "node:path";
import { hiddenSwitch, profileSwitch } from "./settings/login-item.ts";

/**
 * What the app is told when it starts itself again: what this start was told, above all which profile it uses. What was said
 * for one start alone does not hold for the next: to be hidden, and the role, which is saved by then.
 */
export function argumentsOfNextStart(argv: readonly string[]): string[] {
  return argv
    .slice(1)
    .filter((arg) => arg !== hiddenSwitch && !/^--role(=|$)/.test(arg))
    .map((arg) =>
      arg.startsWith(profileSwitch) ? profileSwitch + path.resolve(arg.slice(profileSwitch.length)) : arg,
    );
}

/** Two minutes at most: a quit takes half of one. */
const waitAndStart = `n=0
while kill -0 "$1" 2>/dev/null && [ $n -lt 120 ]; do sleep 1; n=$((n+1)); done
shift
exec "$@"`;

/**
 * Starts a program once a process has ended. Electron's own way is of no use to an AppImage: what is to start it again lies in
 * the mount that goes with the process.
 */
export function startAfter(pid: number, program: string, args: readonly string[]): void {
  const parameters = ["-c", waitAndStart, "sh", String(pid), program, ...args];
  const child = spawn("/bin/sh", parameters, { detached: true, stdio: "ignore" });
  // Without a shell nothing can be done: a person starts the app.
  child.once("error", () => undefined);
  child.unref();
}

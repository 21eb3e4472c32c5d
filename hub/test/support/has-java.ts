import { spawnSync } from "node:child_process";

/** Returns whether this machine has a JDK. The tests do not install one. */
export function hasJava(): boolean {
  return spawnSync("javac", ["-version"]).status === 0;
}

import { spawnSync } from "node:child_process";

/** Whether this machine has a JDK that runs a source file; it is not installed for the tests. */
export function hasJava(): boolean {
  return spawnSync("javac", ["-version"]).status === 0;
}

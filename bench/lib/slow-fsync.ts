import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

/** Environment that makes every fsync of a program 5 ms slower, or the reason why this machine cannot do that. */
export type SlowDisk = { env: Readonly<Record<string, string>> } | { missing: string };

/** Compiles the library into `folder` with the machine's C compiler. */
export function buildSlowFsync(folder: string): SlowDisk {
  if (process.platform !== "linux") return { missing: "the slow disk needs Linux (LD_PRELOAD): that part is left out" };
  const source = fileURLToPath(new URL("slow-fsync.c", import.meta.url));
  const library = join(folder, "slow-fsync.so");
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], { encoding: "utf8" });
  if (compiled.error !== undefined) return { missing: "no C compiler (cc) here: the slow disk is left out" };
  if (compiled.status !== 0) return { missing: `cc failed (${compiled.stderr.trim()}): the slow disk is left out` };
  return { env: { LD_PRELOAD: library, SLOW_FSYNC_US: "5000" } };
}

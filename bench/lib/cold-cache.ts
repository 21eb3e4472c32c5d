import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

/** Drops the system's file cache. Returns false if that is not permitted (Linux requires root). */
export function dropFileCache(): boolean {
  try {
    spawnSync("sync");
    writeFileSync("/proc/sys/vm/drop_caches", "3");
    return true;
  } catch {
    return false;
  }
}

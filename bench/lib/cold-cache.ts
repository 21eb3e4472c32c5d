import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

/** Makes the system forget what it has read from disks; false where that is not allowed (Linux requires root). */
export function dropFileCache(): boolean {
  try {
    spawnSync("sync");
    writeFileSync("/proc/sys/vm/drop_caches", "3");
    return true;
  } catch {
    return false;
  }
}

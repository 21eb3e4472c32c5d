import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import path from "node:path";

const GIB = 1024 ** 3;
const MEMORY_DISK = "/dev/shm";

/**
 * Returns the folder for tests' files: in memory if there is plenty, otherwise the system's temporary folder. A hub waits for
 * the disk at each change, a full test run for many minutes.
 */
export function scratchDisk(): string {
  return isRoomy(MEMORY_DISK) && runsPrograms(MEMORY_DISK) ? MEMORY_DISK : tmpdir();
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 3 * GIB && freemem() > 5 * GIB;
  } catch {
    return false;
  }
}

/** Whether programs can run there. Tests build and run programs, which containers often forbid. */
function runsPrograms(folder: string): boolean {
  let own: string | undefined;
  try {
    own = mkdtempSync(path.join(folder, "comanda-probe-"));
    const program = path.join(own, "program");
    writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    return spawnSync(program).status === 0;
  } catch {
    return false;
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true });
  }
}

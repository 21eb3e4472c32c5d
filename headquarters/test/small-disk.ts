import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Reason why tests of a full disk cannot run on this machine; null if they can. */
export const missingMount: string | null = mayMount()
  ? null
  : "A disk of its own can be mounted on Linux as root alone.";
if (missingMount !== null) process.stderr.write(`Tests of a full disk are skipped. ${missingMount}\n`);

function mayMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "mount-"));
  try {
    mount(folder, 1);
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

function mount(folder: string, megabytes: number): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
}

/** Mounts a disk of this size at `folder`. */
export function mountSmallDisk(folder: string, megabytes: number) {
  mkdirSync(folder, { recursive: true });
  mount(folder, megabytes);
  const file = path.join(folder, "somebody-elses");
  return {
    /** Fills the disk with a foreign file. */
    fill(): void {
      const opened = openSync(file, "a");
      try {
        for (let size = 65_536; size > 0;) {
          try {
            writeSync(opened, Buffer.alloc(size));
          } catch {
            size = Math.floor(size / 2);
          }
        }
      } finally {
        closeSync(opened);
      }
    },
    /** Removes that file. */
    clear: (): void => rmSync(file, { force: true }),
    unmount: (): void => void execFileSync("umount", ["--lazy", folder]),
  };
}

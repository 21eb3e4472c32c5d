import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A private disk that a test can fill. */
export interface SmallDisk {
  /** A folder on it. */
  folder: string;
  /** False if it is only a folder that can be blocked. */
  isReal: boolean;
  fill(): void;
  /** Uses up the last byte. Real disks only. */
  fillCompletely(): void;
  freeSpace(): void;
  /** Unmounts the disk and leaves an empty folder. Real disks only. */
  unmount(): void;
  /** Mounts a new, empty disk. */
  remount(): void;
}

/**
 * Mounts a disk of 300 MB in memory, of which `fill` uses a third. Mounting needs root; otherwise `fill` blocks writing
 * by putting a file in place of the folder.
 */
export function smallDisk(mountPoint: string): SmallDisk {
  mkdirSync(mountPoint);
  const folder = path.join(mountPoint, "backups");
  const mount = () => spawnSync("mount", ["-t", "tmpfs", "-o", "size=300m", "comanda-test", mountPoint]);
  const unmount = () => void spawnSync("umount", ["-l", mountPoint]);
  if (mount().status !== 0) return blockedFolder(folder);
  onTestFinished(unmount);
  const ballast = path.join(mountPoint, "something-else");
  let fills = 0;
  return {
    folder,
    isReal: true,
    fill: () => writeFileSync(ballast, Buffer.alloc(100 * 1024 * 1024)),
    fillCompletely() {
      fills += 1;
      spawnSync("dd", ["if=/dev/zero", `of=${ballast}-${fills}`, "bs=4k"]);
    },
    freeSpace() {
      for (let n = 1; n <= fills; n += 1) rmSync(`${ballast}-${n}`, { force: true });
      rmSync(ballast, { force: true });
    },
    unmount,
    remount: () => void mount(),
  };
}

/**
 * Mounts a disk on which all writes fail after `fail`, although the system still reports it as writable. Returns null if
 * not root, who alone may mount.
 */
export function failingDisk(parent: string): { folder: string; fail(): void } | null {
  const [image, folder] = [path.join(parent, "image"), path.join(parent, "failing")];
  mkdirSync(folder);
  spawnSync("mkfs.ext4", ["-q", image, "600M"]);
  if (spawnSync("mount", ["-o", "loop", image, folder]).status !== 0) return null;
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  return { folder, fail: () => void spawnSync("mount", ["-o", "remount,abort", folder]) };
}

function blockedFolder(folder: string): SmallDisk {
  return {
    folder,
    isReal: false,
    fillCompletely: () => {},
    fill: () => (existsSync(folder) ? undefined : writeFileSync(folder, "x")),
    freeSpace: () => rmSync(folder, { recursive: true, force: true }),
    unmount: () => {},
    remount: () => {},
  };
}

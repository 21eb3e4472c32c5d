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
  fillWhole(): void;
  makeRoom(): void;
  /** Unmounts the disk and leaves an empty folder. Real disks only. */
  takeAway(): void;
  /** Mounts a new, empty disk. */
  putBack(): void;
}

/**
 * Mounts a disk of 300 MB in memory, of which `fill` uses a third. Mounting needs root; otherwise `fill` blocks writing
 * by putting a file in place of the folder.
 */
export function smallDisk(at: string): SmallDisk {
  mkdirSync(at);
  const folder = path.join(at, "backups");
  const mount = () => spawnSync("mount", ["-t", "tmpfs", "-o", "size=300m", "comanda-test", at]);
  const takeAway = () => void spawnSync("umount", ["-l", at]);
  if (mount().status !== 0) return blockedFolder(folder);
  onTestFinished(takeAway);
  const ballast = path.join(at, "something-else");
  let fills = 0;
  return {
    folder,
    isReal: true,
    fill: () => writeFileSync(ballast, Buffer.alloc(100 * 1024 * 1024)),
    fillWhole() {
      fills += 1;
      spawnSync("dd", ["if=/dev/zero", `of=${ballast}-${fills}`, "bs=4k"]);
    },
    makeRoom() {
      for (let n = 1; n <= fills; n += 1) rmSync(`${ballast}-${n}`, { force: true });
      rmSync(ballast, { force: true });
    },
    takeAway,
    putBack: () => void mount(),
  };
}

/**
 * Mounts a disk on which all writes fail after `fail`, although the system still reports it as writable. Returns null if
 * not root, who alone may mount.
 */
export function failingDisk(at: string): { folder: string; fail(): void } | null {
  const [image, folder] = [path.join(at, "image"), path.join(at, "failing")];
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
    fillWhole: () => {},
    fill: () => (existsSync(folder) ? undefined : writeFileSync(folder, "x")),
    makeRoom: () => rmSync(folder, { recursive: true, force: true }),
    takeAway: () => {},
    putBack: () => {},
  };
}

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A disk of a test's own that can be full. */
export interface SmallDisk {
  /** A folder on it. */
  folder: string;
  /** False where it is only a folder that can be blocked. */
  isReal: boolean;
  fill(): void;
  /** Not a byte is left; only of a real one. */
  fillWhole(): void;
  makeRoom(): void;
  /** The empty folder in which it is mounted stays; only of a real one. */
  takeAway(): void;
  /** Another one, which is empty. */
  putBack(): void;
}

/**
 * A disk in memory with some 300 MB, of which a third can be taken away. Only root may mount one: for anybody else a file
 * in the place of the folder keeps everybody from writing there.
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
 * A disk on which all writing fails from a moment on, while the system still takes it for one that can be written. Only root
 * may mount one: null for anybody else.
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

import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf, messageOf } from "../../platform/error-facts.ts";
import { knownFreeBytes } from "../files/disk-space.ts";
import { syncFile } from "../files/files.ts";
import { isOnDiskOf } from "./other-disk.ts";

/** Whether a folder takes backups. `isSameDisk`: on the disk of the data file, so that both are lost together. */
export type FolderTest =
  | { ok: true; freeBytes: number | null; isSameDisk: boolean }
  | { ok: false; reason: "missing" | "not_writable" | "failed"; detail: string };

/** Writes a small file there, reads it back and removes it. */
export function testFolder(folder: string, dataFile: string): FolderTest {
  const file = path.join(folder, `comanda-test-${randomBytes(4).toString("hex")}.part`);
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      return { ok: false, reason: "missing", detail: `there is no folder ${folder}` };
    }
    const content = randomBytes(4_096);
    try {
      writeFileSync(file, content);
      syncFile(file);
      if (!readFileSync(file).equals(content)) throw new Error("something else is read there than was written");
    } finally {
      rmSync(file, { force: true });
    }
    return { ok: true, freeBytes: knownFreeBytes(folder), isSameDisk: isOnDiskOf(dataFile, folder) };
  } catch (error) {
    const isRefused = ["EACCES", "EPERM", "EROFS"].includes(codeOf(error));
    return { ok: false, reason: isRefused ? "not_writable" : "failed", detail: messageOf(error) };
  }
}

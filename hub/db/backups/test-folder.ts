import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf, messageOf } from "../../platform/error-facts.ts";
import { existingFolder, knownFreeBytes } from "../files/disk-space.ts";
import { syncFile } from "../files/files.ts";
import { requireDiskOf } from "./other-disk.ts";

/** Result of testing a folder for backups. `isSameDisk`: on the data file's disk, so both are lost together. */
export type FolderTest =
  | { ok: true; freeBytes: number | null; isSameDisk: boolean }
  | { ok: false; reason: "missing" | "not_writable" | "failed"; detail: string };

const reasons: Readonly<Record<string, "missing" | "not_writable">> = {
  ENODEV: "missing",
  EACCES: "not_writable",
  EPERM: "not_writable",
  EROFS: "not_writable",
};

/** Writes, reads back and removes a small file. `isMade`: the hub creates the folder with its first backup. */
export function testFolder(folder: string, dataFile: string, isMade = false): FolderTest {
  try {
    const isSameDisk = requireDiskOf(folder, dataFile);
    const place = isMade ? existingFolder(folder) : folder;
    const file = path.join(place, `comanda-test-${randomBytes(4).toString("hex")}.part`);
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) {
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
    return { ok: true, freeBytes: knownFreeBytes(folder), isSameDisk };
  } catch (error) {
    return { ok: false, reason: reasons[codeOf(error)] ?? "failed", detail: messageOf(error) };
  }
}

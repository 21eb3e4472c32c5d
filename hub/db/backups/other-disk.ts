import { statSync } from "node:fs";
import path from "node:path";
import { existingFolder } from "../files/disk-space.ts";

/** Whether a folder is on the disk of the data file, as far as the system tells disks apart; one that is not made yet is where it will be. */
export function isOnDiskOf(dataFile: string, folder: string): boolean {
  return statSync(existingFolder(folder)).dev === statSync(path.dirname(dataFile)).dev;
}

/**
 * Throws where a folder that was on another disk than the data file's seems to be on that one: the empty folder in which a
 * disk is mounted stays when the disk is taken away. Else answers whether it is on that one.
 */
export function requireDiskOf(
  folder: string,
  { dataFile, wasOnOtherDisk }: { dataFile: string; wasOnOtherDisk: boolean },
): boolean {
  const isSameDisk = isOnDiskOf(dataFile, folder);
  if (isSameDisk && wasOnOtherDisk) {
    throw Object.assign(new Error(`the disk of ${folder} is not there`), { code: "ENODEV" });
  }
  return isSameDisk;
}

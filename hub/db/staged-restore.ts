import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { World } from "../world.ts";
import { restoreBackup } from "./backup.ts";

/** A restore that a manager asked for and that the hub carries out at its next start, before it opens the data file. */
export interface StagedRestore {
  backup: string;
  /** Where the present file is kept. */
  aside: string;
  by: string;
}

/** Leaves word of a restore beside the data file. A crash in between loses nothing: the next start does it. */
export function stageRestore(file: string, restore: StagedRestore): void {
  writeFileSync(stagedFile(file), JSON.stringify(restore));
}

/**
 * Carries a staged restore out and answers it; null when there is none. One that cannot be carried out leaves the
 * present file as it is.
 */
export function applyStagedRestore(file: string, world: World): StagedRestore | null {
  const staged = stagedFile(file);
  if (!existsSync(staged)) return null;
  try {
    const restore = JSON.parse(readFileSync(staged, "utf8")) as StagedRestore;
    restoreBackup(file, restore.backup, world, restore.aside, restore.by);
    world.log.warn(
      { backup: restore.backup, keptAside: restore.aside },
      "a backup was put in the place of the data file",
    );
    return restore;
  } catch (error) {
    world.log.error({ err: error }, "a backup could not be restored; the hub goes on with the present data file");
    return null;
  } finally {
    rmSync(staged, { force: true });
  }
}

/** The name under which a replaced data file is kept. */
export function asideName(file: string, now: number): string {
  return `${file}.replaced-${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
}

function stagedFile(file: string): string {
  return `${file}.restore`;
}

import { existsSync, realpathSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { compareContent, type BackupFile, type PlacedBackup, placedBackups } from "./backup-files.ts";
import { compressedName, compressInto, copyVerified } from "./compressed-backup.ts";
import { hasSpace, knownFreeBytes, requireSpace } from "../files/disk-space.ts";
import { namesIn, sizeOf, syncFolderOf } from "../files/files.ts";
import { dailiesToRemove, SMALL_BYTES } from "./keep-backups.ts";
import { requireDiskOf } from "./other-disk.ts";
import { signOf } from "./partial-name.ts";
import { mapSteps } from "../files/steps.ts";

export interface SecondFolderOrder {
  /** The folder of the backups. */
  dir: string;
  second: string;
  dataFile: string;
  hubId: string;
  /** Names of backups known to be good. Only these are copied. */
  good: readonly string[];
}

/** Backup being copied and its progress, from 0 to 1. */
export interface SecondFolderStep {
  name: string;
  progress: number;
}

/** This hub's copies in the second folder. */
export interface SecondFolderFacts {
  copies: number;
  /** Creation time of the newest copy, ms since 1970. */
  newestAt: number | null;
  /** Null if the system does not report it. */
  freeBytes: number | null;
  /** Whether it is on the data file's disk, so that both are lost together. */
  isSameDisk: boolean;
}

/** Thrown when the second folder cannot be used; callers branch on `code`. */
export class SecondFolderError extends Error {
  override readonly name = "SecondFolderError";
  readonly code: "SECOND_MISSING" | "SECOND_SAME";

  constructor(code: "SECOND_MISSING" | "SECOND_SAME", message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Copies each good backup that the second folder lacks, newest first, and keeps as many there as in the first. Each copy is
 * read back before it gets its final name. Without room for a copy, removes those that it replaces. Several hubs may share the
 * folder: only this hub's files are removed.
 */
export function* fillSecondFolder(
  order: SecondFolderOrder,
): Generator<SecondFolderStep | undefined, SecondFolderFacts> {
  const { dir, second, dataFile, hubId, good } = order;
  const isSameDisk = requireFolder(order);
  const tag = signOf(hubId);
  for (const name of namesIn(second)) {
    if (name.endsWith(`.${tag}.part`)) rmSync(path.join(second, name), { force: true });
  }
  const first = placedBackups(dir).filter(({ file }) => good.includes(file.name));
  const { missing, remove, remaining } = planSecondFolder(first, placedBackups(second), {
    hubId,
    dataFileBytes: sizeOf(dataFile) ?? 0,
  });
  // Never all of them: the copy may fail.
  const removable = remaining === 0 ? remove.slice(1) : [...remove];
  for (const backup of missing) {
    const { file } = backup;
    yield { name: file.name, progress: 0 };
    makeRoom(second, file, removable);
    requireSpace(second, file.bytes);
    const steps = copyTo(second, backup, tag);
    yield* mapSteps(steps, (progress) => ({ name: file.name, progress }));
  }
  for (const file of remove) rmSync(file.path, { force: true });
  if (remove.length > 0) syncFolderOf(path.join(second, "any"));
  const own = placedBackups(second).filter(ownedBy(hubId, first));
  return {
    copies: own.length,
    newestAt: own[0]?.file.createdAt ?? null,
    freeBytes: knownFreeBytes(second),
    isSameDisk,
  };
}

/** Removes as many spare files as the backup needs, last first; none if all of them would not suffice. */
function makeRoom(folder: string, { bytes }: BackupFile, removable: BackupFile[]): void {
  const removableBytes = removable.reduce((sum, each) => sum + each.bytes, 0);
  if (!hasSpace(folder, bytes - removableBytes)) return;
  while (removable.length > 0 && !hasSpace(folder, bytes)) rmSync(removable.pop()?.path ?? "", { force: true });
}

/**
 * Plans which backups to copy to the second folder and which of this hub's dailies to remove there afterwards, newest first and
 * by the rule of the first folder. `remaining` is how many copies remain. A copy that is unreadable or has another size is replaced.
 * Ignores other hubs' backups.
 */
export function planSecondFolder(
  first: readonly PlacedBackup[],
  second: readonly PlacedBackup[],
  { hubId, dataFileBytes }: { hubId: string; dataFileBytes: number },
): { missing: PlacedBackup[]; remove: BackupFile[]; remaining: number } {
  const isOwn = ownedBy(hubId, first);
  const copiesByName = new Map(second.map((copy) => [copy.file.name, copy]));
  const missing = first.filter((backup) => {
    const copy = copiesByName.get(backup.file.name);
    // Another hub's backup of the same name must not be replaced.
    return copy === undefined || (isOwn(copy) && !isSound(copy, backup));
  });
  const replaced = new Set(missing.map(({ file }) => file.name));
  const own = second.filter((copy) => isOwn(copy) && !replaced.has(copy.file.name));
  const all = [...own, ...missing].sort(compareContent).map(({ file }) => file);
  const surplus = new Set(dailiesToRemove(all, dataFileBytes, new Set()));
  const remove = own.map(({ file }) => file).filter((file) => surplus.has(file));
  return { missing: missing.filter(({ file }) => !surplus.has(file)), remove, remaining: own.length - remove.length };
}

/** Whether a backup is this hub's: by its own facts, or as a copy of one in the first folder. */
function ownedBy(hubId: string, first: readonly PlacedBackup[]): (copy: PlacedBackup) => boolean {
  const originals = new Map(first.map(({ file, place }) => [file.name, place?.hubId ?? null]));
  return ({ file, place }) => {
    const owner = place?.hubId ?? null;
    if (owner === hubId) return true;
    return originals.has(file.name) && (owner === null || owner === originals.get(file.name));
  };
}

function isSound(copy: PlacedBackup, { file }: PlacedBackup): boolean {
  if (copy.place === null) return false;
  return copy.file.isCompressed !== file.isCompressed || copy.file.bytes === file.bytes;
}

/** Copies a backup and compresses a large one on the way, because the target may be a network or a small disk. */
function* copyTo(second: string, { file, place }: PlacedBackup, tag: string): Generator<number | undefined, void> {
  const plain = path.join(second, file.name);
  const isTargetCompressed = file.isCompressed || (file.bytes > SMALL_BYTES && place !== null);
  const target = isTargetCompressed ? compressedName(plain) : plain;
  const to = { target, part: `${target}.${tag}.part` };
  if (place !== null && isTargetCompressed && !file.isCompressed) yield* compressInto(file.path, place, to);
  else yield* copyVerified(file.path, to);
  // The other form under this name could not be read.
  rmSync(isTargetCompressed ? plain : compressedName(plain), { force: true });
}

/** Returns whether the second folder is on the data file's disk. Throws a SecondFolderError if it cannot be used. */
function requireFolder({ dir, second, dataFile }: SecondFolderOrder): boolean {
  if (statSync(second, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SecondFolderError("SECOND_MISSING", `there is no folder ${second}`);
  }
  if (existsSync(dir) && realpathSync(dir) === realpathSync(second)) {
    throw new SecondFolderError("SECOND_SAME", `${second} leads to the folder of the backups itself`);
  }
  return requireDiskOf(second, dataFile);
}

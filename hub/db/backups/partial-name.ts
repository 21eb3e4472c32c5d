import { readLastSeen } from "../last-seen.ts";

/** What a file is called in a folder of backups until it is whole: by the hub that makes it, for several may share the folder. */
export function partialName(target: string, dbPath: string): string {
  const tag = tagOf(dbPath);
  return tag === null ? `${target}.part` : `${target}.${tag}.part`;
}

/** The sign of a data file's hub; null where nothing tells which that is. */
export function tagOf(dbPath: string): string | null {
  return readLastSeen(dbPath)?.hubId.slice(0, 8) ?? null;
}

import { readLastSeen } from "../last-seen.ts";

/** What a file is called in a folder of backups until it is whole: by the hub that makes it, for several may share the folder. */
export function partialName(target: string, dbPath: string): string {
  const tag = tagOf(dbPath);
  return tag === null ? `${target}.part` : `${target}.${tag}.part`;
}

/** The sign of a data file's hub; null where nothing tells which that is. */
export function tagOf(dbPath: string): string | null {
  const seen = readLastSeen(dbPath);
  return seen === null ? null : signOf(seen.hubId);
}

/** The sign of a hub in the names of what it has not finished. */
export function signOf(hubId: string): string {
  return hubId.slice(0, 8);
}

import { readLastSeen } from "../last-seen.ts";

/** Returns the temporary name of an unfinished file. It names the hub, as several hubs may share the folder. */
export function partialName(target: string, dbPath: string): string {
  const tag = tagOf(dbPath);
  return tag === null ? `${target}.part` : `${target}.${tag}.part`;
}

/** Returns the tag of a data file's hub, or null if the hub is unknown. */
export function tagOf(dbPath: string): string | null {
  const lastSeen = readLastSeen(dbPath);
  return lastSeen === null ? null : signOf(lastSeen.hubId);
}

/** Returns a hub's tag for the names of its unfinished files. */
export function signOf(hubId: string): string {
  return hubId.slice(0, 8);
}

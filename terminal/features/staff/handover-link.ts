import { locateHub } from "../../lib/device/hub-address.ts";
import { WHO } from "./read-handover.ts";

/** Where another device goes on: the same place, and whose PIN it asks for. There is nothing secret in it. */
export function handoverLink(
  hub: string,
  { place, personId }: { place: string; personId: number | string | undefined },
): string {
  const link = new URL("/terminal/", hub);
  if (personId !== undefined) link.searchParams.set(WHO, String(personId));
  link.hash = place;
  return link.href;
}

/** The hub's address for other devices; null while none is known here: the hub's own PC knows itself by one that leads nowhere else. */
export async function addressForOthers(): Promise<string | null> {
  try {
    const hub = await locateHub();
    return isReachable(hub) ? hub : null;
  } catch {
    return null;
  }
}

function isReachable(hub: string): boolean {
  const name = new URL(hub).hostname;
  return name !== "localhost" && name !== "[::1]" && !name.startsWith("127.");
}

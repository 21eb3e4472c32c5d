import { locateHub } from "../../lib/device/hub-address.ts";
import { PERSON_PARAM } from "./read-handover.ts";

/** Returns a link to continue on another device: the same place, and whose PIN to ask for. It contains no secret. */
export function handoverLink(
  hub: string,
  { place, personId }: { place: string; personId: number | string | undefined },
): string {
  const link = new URL("/terminal/", hub);
  if (personId !== undefined) link.searchParams.set(PERSON_PARAM, String(personId));
  link.hash = place;
  return link.href;
}

/** Returns the hub's address for other devices; null if unknown. A loopback address, as on the hub's PC, is of no use. */
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

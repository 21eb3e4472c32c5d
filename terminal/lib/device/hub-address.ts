import { desktopTerminal } from "./desktop.ts";

/** Returns the address of the hub's HTTP routes: the page's own. The desktop app forwards them to its hub. */
export function hubAddress(): string {
  return location.origin;
}

/** Returns the hub's address for any device. The desktop app searches for a hub that moved; rejects if it has none. */
export async function locateHub(): Promise<string> {
  return (await desktopTerminal()?.locateHub()) ?? location.origin;
}

/**
 * Returns the address of the hub's socket, `ws://host:port`, before every connection. Rejects if a hub other than `hubId` was
 * chosen: until the page reloads, changes recorded for one hub must not go to another.
 */
export async function hubSocketAddress(hubId?: string): Promise<string> {
  const address = await locateHub();
  if ((await desktopTerminal()?.getHub())?.id !== hubId) throw new Error("another hub was chosen");
  return address.replace(/^http/, "ws");
}

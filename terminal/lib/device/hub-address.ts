import { desktopTerminal } from "./desktop.ts";

/** Where the hub's HTTP routes answer: where the page came from. The desktop app forwards them from there to its hub. */
export function hubAddress(): string {
  return location.origin;
}

/** Where the hub is for every device; the desktop app looks for one that has moved, and rejects while it has none. */
export async function locateHub(): Promise<string> {
  return (await desktopTerminal()?.locateHub()) ?? location.origin;
}

/**
 * Where the hub's socket is, `ws://host:port`, asked for before every connection. Rejects once another than `hubId` was
 * chosen: what was recorded for one is not sent to the other in the moment before the page is loaded again.
 */
export async function hubSocketAddress(hubId?: string): Promise<string> {
  const address = await locateHub();
  if ((await desktopTerminal()?.getHub())?.id !== hubId) throw new Error("another hub was chosen");
  return address.replace(/^http/, "ws");
}

import { desktopTerminal } from "./desktop.ts";

/** Where the hub's HTTP routes answer: where the page came from. The desktop app forwards them from there to its hub. */
export function hubAddress(): string {
  return location.origin;
}

/**
 * Where the hub's socket is, `ws://host:port`, asked for before every connection: the desktop app looks for a hub that has
 * moved. Rejects while it has none, and once another than `hubId` was chosen: what was recorded for one is not sent to
 * the other in the moment before the page is loaded again.
 */
export async function hubSocketAddress(hubId?: string): Promise<string> {
  const app = desktopTerminal();
  const address = (await app?.locateHub()) ?? location.origin;
  if ((await app?.getHub())?.id !== hubId) throw new Error("another hub was chosen");
  return address.replace(/^http/, "ws");
}

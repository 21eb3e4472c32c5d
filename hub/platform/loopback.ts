import { isIP } from "node:net";
import { urlHost } from "@comanda/protocol/url-host.ts";

/** Whether a host is this computer by its loopback address: such a caller runs on it. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Where this PC reaches a hub: one that listens everywhere on loopback, one that listens on one address only there. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return urlHost(host);
}

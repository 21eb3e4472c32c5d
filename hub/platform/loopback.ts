import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { urlHost } from "@comanda/protocol/url-host.ts";

/** Whether a host is this computer by its loopback address: such a caller runs on it. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Whether an address is one of this computer's: by loopback, or on a network. */
export function isThisMachine(address: string): boolean {
  return (
    isLoopback(address) ||
    Object.values(networkInterfaces())
      .flat()
      .some((each) => each?.address === address)
  );
}

/** Whether this computer calls itself by a name, which is in small letters. */
export function isNameOfThisMachine(name: string): boolean {
  const own = hostname().toLowerCase();
  return name === "localhost" || name === own || name === `${own}.local`;
}

/** Where this PC reaches a hub: one that listens everywhere on loopback, one that listens on one address only there. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return urlHost(host);
}

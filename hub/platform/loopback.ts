import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { urlHost } from "@comanda/protocol/url-host.ts";

/** Whether a host is a loopback address of this computer, so that its caller runs here. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Whether an address is one of this computer's, on loopback or a network. */
export function isThisMachine(address: string): boolean {
  return (
    isLoopback(address) ||
    Object.values(networkInterfaces())
      .flat()
      .some((each) => each?.address === address)
  );
}

/** Whether a lower-case name is one of this computer's. */
export function isNameOfThisMachine(name: string): boolean {
  const own = hostname().toLowerCase();
  return name === "localhost" || name === own || name === `${own}.local`;
}

/** Returns the host under which this PC reaches a hub: loopback if the hub listens on all addresses, else its one address. */
export function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return urlHost(host);
}

import { isIP } from "node:net";

/** Whether a host is this computer by its loopback address: whoever comes from there sits at it. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

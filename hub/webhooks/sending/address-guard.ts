import { lookup as resolve, type LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { isNameOfThisMachine } from "../../platform/loopback.ts";
import { withTimeout } from "../../platform/with-timeout.ts";
import type { World } from "../../platform/world.ts";

/** Thrown for an address that webhooks must not be sent to. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

const refused = new BlockList();
refused.addSubnet("0.0.0.0", 8, "ipv4");
refused.addSubnet("169.254.0.0", 16, "ipv4");
refused.addSubnet("224.0.0.0", 4, "ipv4");
refused.addSubnet("240.0.0.0", 4, "ipv4");
refused.addAddress("::", "ipv6");
refused.addSubnet("fe80::", 10, "ipv6");
refused.addSubnet("ff00::", 8, "ipv6");

const unspecified = new BlockList();
unspecified.addAddress("0.0.0.0", "ipv4");
unspecified.addAddress("::", "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/**
 * Throws AddressRefused for link-local, multicast and unspecified addresses and the hub's own port. Checks the address that is
 * really connected to. Private and loopback addresses are allowed: integrations run there.
 */
export function requireAllowed(address: string, port: number, ownPort: number): void {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (refused.check(address, family)) throw new AddressRefused(`webhooks are not sent to ${address}`);
  if (port === ownPort && isOwnAddress(address, family)) {
    throw new AddressRefused("webhooks are not sent to the hub itself");
  }
}

/** Returns the host and port of a URL; an IPv6 address without its brackets. */
export function targetOf({ protocol, hostname, port }: URL): { host: string; port: number } {
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (protocol === "https:" ? 443 : 80)),
  };
}

/** A name that does not resolve in this time counts as another machine's, since every delivery is checked again. */
const RESOLVE_MS = 2_000;

/** Whether a URL points to the hub itself: its port, at any address or name of this machine. */
export async function leadsToHub(world: World, url: URL, ownPort: number): Promise<boolean> {
  const { host, port } = targetOf(url);
  if (port !== ownPort) return false;
  if (isIP(host) !== 0) return isOwnHost(host);
  const name = host.toLowerCase().replace(/\.$/, "");
  if (name.endsWith(".localhost") || isNameOfThisMachine(name)) return true;
  let found: LookupAddress[] = [];
  const resolved = lookup(host, { all: true }).then((addresses) => {
    found = addresses;
  });
  await withTimeout(world, RESOLVE_MS, resolved);
  return found.some(({ address }) => isOwnHost(address));
}

/** Whether an address is this machine's. Unspecified ones (`0.0.0.0`, `::`) also connect to it. */
function isOwnHost(address: string): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return unspecified.check(address, family) || isOwnAddress(address, family);
}

/** Returns a DNS lookup for a connection that keeps only allowed addresses. */
export function guardedLookup(port: number, ownPort: number): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, "", 0);
        return;
      }
      try {
        answer(allowedOf(found, port, ownPort), options.all === true, callback);
      } catch (refusal) {
        callback(refusal as Error, "", 0);
      }
    });
  };
}

/**
 * Returns a name's allowed addresses, or throws the first refusal if none is allowed. PCs of a local network may also resolve
 * to their link-local address, often first.
 */
export function allowedOf(found: readonly LookupAddress[], port: number, ownPort: number): LookupAddress[] {
  const refusals: unknown[] = [];
  const allowed = found.filter(({ address }) => {
    try {
      requireAllowed(address, port, ownPort);
      return true;
    } catch (refusal) {
      refusals.push(refusal);
      return false;
    }
  });
  if (allowed.length === 0 && refusals.length > 0) throw refusals[0];
  return allowed;
}

function answer(found: LookupAddress[], isAll: boolean, callback: Parameters<LookupFunction>[2]): void {
  const [first] = found;
  if (isAll) callback(null, found);
  else callback(null, first?.address ?? "", first?.family);
}

function isOwnAddress(address: string, family: "ipv4" | "ipv6"): boolean {
  if (loopback.check(address, family)) return true;
  // A BlockList also matches IPv4 addresses written as IPv6.
  const own = new BlockList();
  for (const each of Object.values(networkInterfaces()).flat()) {
    if (each !== undefined) own.addAddress(each.address, each.family === "IPv6" ? "ipv6" : "ipv4");
  }
  return own.check(address, family);
}

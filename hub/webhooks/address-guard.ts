import { lookup as resolve } from "node:dns";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Guard } from "../platform/http-client.ts";

/** An address that no webhook is sent to. */
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

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/**
 * Refuses link-local, multicast and unspecified addresses and the hub's own port. Private and loopback addresses are
 * allowed, because integrations run there.
 */
function requireAllowed(address: string, port: number, ownPort: number): void {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (refused.check(address, family)) throw new AddressRefused(`webhooks are not sent to ${address}`);
  if (port === ownPort && isOwnAddress(address, family)) {
    throw new AddressRefused("webhooks are not sent to the hub itself");
  }
}

/** Refuses hosts that are addresses, and the addresses that names resolve to when they are connected to. */
export function addressGuard(ownPort: () => number): Guard {
  return (host, port) => {
    const check = (address: string): void => requireAllowed(address, port, ownPort());
    if (isIP(host) !== 0) check(host);
    return (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        try {
          if (error !== null) throw error;
          for (const { address } of found) check(address);
        } catch (failure) {
          callback(failure as Error, "", 0);
          return;
        }
        if (options.all === true) callback(null, found);
        else callback(null, found[0]?.address ?? "", found[0]?.family);
      });
    };
  };
}

function isOwnAddress(address: string, family: "ipv4" | "ipv6"): boolean {
  if (loopback.check(address, family)) return true;
  const plain = address.replace(/^::ffff:/i, "");
  return Object.values(networkInterfaces()).some((list) => list?.some((each) => each.address === plain) ?? false);
}

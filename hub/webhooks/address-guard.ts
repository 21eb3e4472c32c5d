import { lookup as resolve } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { buildConnector } from "undici";
import type { Connector } from "../platform/http-client.ts";

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
 * Refuses link-local, multicast and unspecified addresses and the hub's own port, on the address that is really connected
 * to. Private and loopback addresses are where integrations run.
 */
function requireAllowed(address: string, port: number, ownPort: number): void {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (refused.check(address, family)) throw new AddressRefused(`webhooks are not sent to ${address}`);
  if (port === ownPort && isOwnAddress(address, family)) {
    throw new AddressRefused("webhooks are not sent to the hub itself");
  }
}

/** Connects within `timeoutMs`, and only to addresses that are allowed: checked is what the name resolves to now. */
export function guardedConnector(timeoutMs: number, ownPort: () => number): Connector {
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === "https:" ? 443 : 80));
    const requireEach = (addresses: readonly string[]): Error | null => {
      try {
        for (const address of addresses) requireAllowed(address, port, ownPort());
        return null;
      } catch (error) {
        return error as Error;
      }
    };
    const host = target.hostname.replace(/^\[|\]$/g, "");
    const refusal = isIP(host) === 0 ? null : requireEach([host]);
    if (refusal !== null) {
      queueMicrotask(() => callback(refusal, null));
      return;
    }
    const lookup: LookupFunction = (hostname, options, found) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        const failure = error ?? requireEach(addresses.map(({ address }) => address));
        if (failure !== null) found(failure, "", 0);
        else if (options.all === true) found(null, addresses);
        else found(null, addresses[0]?.address ?? "", addresses[0]?.family);
      });
    };
    buildConnector({ timeout: timeoutMs, allowH2: false, lookup })(target, callback);
  };
}

function isOwnAddress(address: string, family: "ipv4" | "ipv6"): boolean {
  if (loopback.check(address, family)) return true;
  const plain = address.replace(/^::ffff:/i, "");
  return Object.values(networkInterfaces()).some((list) => list?.some((each) => each.address === plain) ?? false);
}

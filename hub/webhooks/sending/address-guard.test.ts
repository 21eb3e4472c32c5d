import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { AddressRefused, allowedOf, requireAllowed } from "./address-guard.ts";

const OWN_PORT = 8766;

it("an event for a name with a link-local and another address is sent to the other [HOOK-26]", () => {
  const linkLocal = { address: "fe80::1c2d:3e4f", family: 6 };
  const withZone = { address: "fe80::1c2d:3e4f%eth0", family: 6 };
  const other = { address: "192.168.1.20", family: 4 };
  expect(allowedOf([linkLocal, withZone, other], 1880, OWN_PORT)).toEqual([other]);
  expect(allowedOf([other], 1880, OWN_PORT)).toEqual([other]);
  expect(() => allowedOf([linkLocal], 1880, OWN_PORT)).toThrow(AddressRefused);
  const metadata = { address: "169.254.169.254", family: 4 };
  expect(() => allowedOf([metadata, { address: "127.0.0.1", family: 4 }], OWN_PORT, OWN_PORT)).toThrow(AddressRefused);
});

it("the hub's own port at its network address is refused, however it is written [HOOK-26]", () => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address } of addresses.filter(({ family }) => family === "IPv4")) {
    const mapped = new URL(`http://[::ffff:${address}]`).hostname.slice(1, -1);
    for (const written of [address, `::ffff:${address}`, mapped]) {
      expect(() => requireAllowed(written, OWN_PORT, OWN_PORT)).toThrow(AddressRefused);
    }
  }
  expect(() => requireAllowed("203.0.113.7", OWN_PORT, OWN_PORT)).not.toThrow();
});

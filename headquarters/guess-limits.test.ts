import { expect, it } from "vitest";
import { networkOf } from "./guess-limits.ts";

it("however an address is written, it belongs to the same network [HQ-625]", () => {
  const networks = (...addresses: string[]) => [...new Set(addresses.map(networkOf))];
  expect(networks("2001::1:2:3:4:5", "2001:0:0:1:2:3:4:5", "2001:0::1:0:0:0:9")).toEqual(["2001:0:0:1"]);
  expect(networks("2001:DB8::1", "2001:db8:0:0:ffff::")).toEqual(["2001:db8:0:0"]);
  expect(networks("fe80::1%eth0", "FE80::2%wlan0", "fe80::3")).toEqual(["fe80:0:0:0"]);
  expect(networks("::ffff:192.0.2.1", "::FFFF:c000:201", "192.0.2.1")).toEqual(["192.0.2.1"]);
  expect(networks("::1", "")).toEqual(["0:0:0:0", ""]);
});

import type { NetworkInterfaceInfo } from "node:os";
import { expect, it } from "vitest";
import { pairingAddresses, presentPairing } from "./pairing.ts";

const at = (address: string, internal = false): NetworkInterfaceInfo =>
  ({ address, internal, family: address.includes(":") ? "IPv6" : "IPv4" }) as NetworkInterfaceInfo;

/** A PC with Docker, a VPN, a card without a network, and the restaurant's Wi-Fi. */
const interfaces = {
  lo: [at("127.0.0.1", true), at("::1", true)],
  docker0: [at("172.17.0.1")],
  "vEthernet (WSL)": [at("172.28.0.1")],
  tailscale0: [at("100.101.102.103")],
  "Ethernet 2": [at("169.254.12.34"), at("fe80::1")],
  "Wi-Fi": [at("192.168.1.20"), at("fd00::20")],
  "VPN de la oficina": [at("10.8.0.6")],
};

const urls = (host: string) => pairingAddresses({ host, port: 8766 }, interfaces).map(({ url }) => url);

it("pairing offers the network's addresses first, then virtual ones, and never link-local ones [OP-180]", () => {
  for (const everywhere of ["0.0.0.0", "::"]) {
    expect(urls(everywhere)).toEqual([
      "http://192.168.1.20:8766",
      "http://172.17.0.1:8766",
      "http://172.28.0.1:8766",
      "http://100.101.102.103:8766",
      "http://10.8.0.6:8766",
      "http://127.0.0.1:8766",
    ]);
  }
  const kinds = pairingAddresses({ host: "0.0.0.0", port: 1 }, interfaces).map(({ kind }) => kind);
  expect(kinds).toEqual(["lan", "virtual", "virtual", "virtual", "virtual", "loopback"]);
});

it("pairing offers only the address that the hub listens on [OP-180]", () => {
  expect(urls("192.168.1.20")).toEqual(["http://192.168.1.20:8766"]);
  expect(urls("172.17.0.1")).toEqual(["http://172.17.0.1:8766"]);
  expect(urls("fd00::20")).toEqual(["http://[fd00::20]:8766"]);
  expect(urls("hub.lan")).toEqual(["http://hub.lan:8766"]);
  for (const loopback of ["127.0.0.1", "127.0.0.2", "localhost"])
    expect(urls(loopback)).toEqual(["http://127.0.0.1:8766"]);
});

it("pairing says that a hub listening on loopback cannot be reached from the network [OP-180]", () => {
  const hub = { hubId: "h", name: "La Terraza", port: 8766, announcer: { state: () => "off" as const } };
  expect(presentPairing({ ...hub, host: "127.0.0.1" }, null)).toMatchObject({
    localOnly: true,
    addresses: [{ kind: "loopback" }],
  });
  expect(presentPairing({ ...hub, host: "0.0.0.0" }, null).localOnly).toBe(false);
});

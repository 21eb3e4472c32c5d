import { networkInterfaces } from "node:os";
import type { Pairing } from "@comanda/protocol";

type Address = Pairing["addresses"][number];

const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|tailscale|zt|vEthernet|llw|awdl)/i;

/** The addresses under which terminals on the network reach this hub, the likeliest first. */
export function pairingAddresses(port: number): Address[] {
  const order: Address["kind"][] = ["lan", "virtual", "loopback"];
  return Object.entries(networkInterfaces())
    .flatMap(([name, list]) => (list ?? []).map((each) => ({ name, ...each })))
    .filter((each) => each.family === "IPv4")
    .map(({ name, address, internal }): Address => {
      const kind = internal ? "loopback" : virtual.test(name) ? "virtual" : "lan";
      return { url: `http://${address}:${port}`, wsUrl: `ws://${address}:${port}`, interface: name, kind };
    })
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

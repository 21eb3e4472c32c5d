import { networkInterfaces } from "node:os";
import type { Pairing } from "@comanda/protocol";

type Address = Pairing["addresses"][number];

const virtual = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|tailscale|zt|vEthernet|llw|awdl)/i;

interface Announcement {
  state(): string;
}

/** How a terminal finds this hub: its names, its addresses, and whether it is announced on the network. */
export function presentPairing(hub: { hubId: string; name: string; port: number; announcer: Announcement }): Pairing {
  const announced = hub.announcer.state();
  const state = announced === "announced" || announced === "failed" ? announced : "off";
  const error = state === "failed" ? "the hub could not be announced on this network; see the log" : null;
  const { hubId, name, port } = hub;
  return { hubId, name, port, addresses: pairingAddresses(port), discovery: { state, heard: null, error } };
}

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

import { networkInterfaces, type NetworkInterfaceInfo } from "node:os";
import { isIP } from "node:net";
import type { Pairing } from "@comanda/protocol";
import { urlHost } from "@comanda/protocol/url-host.ts";
import type { AnnouncerState } from "../../discovery/announce.ts";
import { isLoopback } from "../../platform/loopback.ts";

type Address = Pairing["addresses"][number];
type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Where the hub listens: `host` is an address or a name of this machine, or all addresses. */
export interface Listening {
  host: string;
  port: number;
}

/** Returns how a terminal finds this hub: names, addresses, and whether it is announced on the network. */
export function presentPairing(
  hub: Listening & { hubId: string; name: string; announcer: { state(): AnnouncerState } },
  reach: Pairing["reach"],
): Pairing {
  const { hubId, name, port, host } = hub;
  const addresses = pairingAddresses(hub);
  const discovery = { state: hub.announcer.state() };
  return { hubId, name, port, addresses, localOnly: isLoopback(host), reach, discovery };
}

/**
 * Returns the addresses of this hub, the likeliest first: only where it listens, never a link-local one. Adapters of
 * containers, virtual machines and VPNs come after network adapters, and loopback last.
 */
export function pairingAddresses({ host, port }: Listening, interfaces: Interfaces = networkInterfaces()): Address[] {
  const order: Address["kind"][] = ["lan", "virtual", "loopback"];
  const isName = isIP(host) === 0 && host !== "localhost";
  if (isName) return [presentAddress(host, port, "", "lan")];
  return Object.entries(interfaces)
    .flatMap(([name, list]) => (list ?? []).map((each) => ({ name, ...each })))
    .filter(({ family, address }) => listensOn(host, family, address) && !isLinkLocal(address))
    .map(({ name, address, internal }) => presentAddress(address, port, name, kindOf(name, address, internal)))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Whether the hub listens on an address. Terminals get IPv4 ones, unless the hub listens on a single IPv6 address. */
function listensOn(host: string, family: string, address: string): boolean {
  if (host === "0.0.0.0" || host === "::") return family === "IPv4";
  // All of 127.0.0.0/8 belongs to this machine, but only one address of it is listed.
  return address === host || (family === "IPv4" && isLoopback(host) && isLoopback(address));
}

function isLinkLocal(address: string): boolean {
  return address.startsWith("169.254.") || /^fe[89ab]/i.test(address);
}

const virtualName =
  /^(docker|br-|bridge|veth|virbr|vmnet|vboxnet|lxc|lxd|cni|flannel|podman|utun|tun|tap|wg|ppp|tailscale|zt|zerotier|ham|nordlynx|llw|awdl)|vethernet|virtualbox|vmware|hyper-v|wsl|vpn|wireguard/i;
/** 100.64.0.0/10, which Tailscale and similar VPNs use. */
const sharedAddress = /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;

function kindOf(name: string, address: string, internal: boolean): Address["kind"] {
  if (internal) return "loopback";
  return virtualName.test(name) || sharedAddress.test(address) ? "virtual" : "lan";
}

function presentAddress(host: string, port: number, name: string, kind: Address["kind"]): Address {
  const shown = `${urlHost(host)}:${port}`;
  return { url: `http://${shown}`, wsUrl: `ws://${shown}`, interface: name, kind };
}

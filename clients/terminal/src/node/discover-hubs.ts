import { plainName } from "@comanda/protocol";
import { urlHost } from "@comanda/protocol/url-host.ts";
import bonjour, { type Service } from "bonjour-service";

const { Bonjour } = bonjour;

/** Any device on the network may announce hubs, and each is asked who it is. */
const MAX_HUBS = 100;

/** A hub that announced itself on the local network. */
export interface FoundHub {
  id: string;
  name: string;
  version: string;
  protocol: number;
  /** `ws://address:port`, the IPv4 addresses first. */
  urls: string[];
}

/**
 * Returns the hubs (`_comanda-hub._tcp`) that announce themselves within `withinMs`. Multicast is often blocked, so an empty
 * list does not mean that there is no hub. `interface` is the address of the network card to search on.
 */
export async function discoverHubs(options: { withinMs?: number; interface?: string } = {}): Promise<FoundHub[]> {
  const { withinMs = 3_000 } = options;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Options of multicast-dns, missing in the types of Bonjour.
  // On Linux a socket bound to a card's address receives no multicast.
  const card: object = options.interface === undefined ? {} : { interface: options.interface, bind: "0.0.0.0" };
  const network = new Bonjour(card, fail);
  const browser = network.find({ type: "comanda-hub", protocol: "tcp" }, () => {
    // Each announcement is compared with all before it: a flood of them would hold up the program.
    if (browser.services.length >= MAX_HUBS) browser.stop();
  });
  try {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, withinMs)), failed]);
    return browser.services.flatMap((service) => readHub(service) ?? []).slice(0, MAX_HUBS);
  } finally {
    browser.stop();
    await new Promise((resolve) => network.destroy(() => resolve(undefined)));
  }
}

/** Returns the announced hub, or null for a service that does not say which hub it is. */
function readHub({
  name,
  port,
  addresses = [],
  txt,
}: Pick<Service, "name" | "port" | "addresses" | "txt">): FoundHub | null {
  const record = (txt ?? {}) as Record<string, string | undefined>;
  if (record["id"] === undefined) return null;
  // A link-local address (fe80:…) cannot be used without the name of the network card.
  const usable = addresses
    .filter((address) => !address.toLowerCase().startsWith("fe80:"))
    .toSorted((one, other) => Number(one.includes(":")) - Number(other.includes(":")));
  return {
    id: record["id"],
    name: plainName(record["name"] ?? name),
    version: record["ver"] ?? "",
    protocol: Number(record["proto"] ?? 1),
    urls: usable.map((address) => `ws://${urlHost(address)}:${port}`),
  };
}

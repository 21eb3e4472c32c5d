import { urlHost } from "@comanda/protocol/url-host.ts";
import bonjour from "bonjour-service";

const { Bonjour } = bonjour;

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
  const browser = network.find({ type: "comanda-hub", protocol: "tcp" });
  try {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, withinMs)), failed]);
    return browser.services.map((service) => {
      const txt = service.txt as Record<string, string | undefined>;
      // A link-local address (fe80:…) cannot be used without the name of the network card.
      const addresses = (service.addresses ?? [])
        .filter((address) => !address.toLowerCase().startsWith("fe80:"))
        .toSorted((one, other) => Number(one.includes(":")) - Number(other.includes(":")));
      return {
        id: txt["id"] ?? service.name,
        name: txt["name"] ?? service.name,
        version: txt["ver"] ?? "",
        protocol: Number(txt["proto"] ?? 1),
        urls: addresses.map((address) => `ws://${urlHost(address)}:${service.port}`),
      };
    });
  } finally {
    browser.stop();
    await new Promise((resolve) => network.destroy(() => resolve(undefined)));
  }
}

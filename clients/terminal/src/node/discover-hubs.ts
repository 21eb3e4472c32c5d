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
 * Listens for hubs (`_comanda-hub._tcp`) and answers those heard within `withinMs`. Multicast is often blocked: an
 * empty list does not mean that there is no hub. `interface` is the address of the network card to search on.
 */
export async function discoverHubs(options: { withinMs?: number; interface?: string } = {}): Promise<FoundHub[]> {
  const { withinMs = 3_000 } = options;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Options of multicast-dns, which the types of Bonjour do not list.
  // On Linux a socket that is bound to the address of a card receives no multicast.
  const card: object = options.interface === undefined ? {} : { interface: options.interface, bind: "0.0.0.0" };
  const network = new Bonjour(card, fail);
  const browser = network.find({ type: "comanda-hub", protocol: "tcp" });
  try {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, withinMs)), failed]);
    return browser.services.map((service) => {
      const txt = service.txt as Record<string, string | undefined>;
      // An address of one link only (fe80:…) means nothing without the name of the card it was heard on.
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

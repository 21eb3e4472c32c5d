import type { BackOfficeUpdate } from "@comanda/protocol";
import semver from "semver";
import { UpdateRefused } from "./update-refused.ts";

/** A newer version that passed every check possible before the download. */
export interface Offer {
  version: string;
  notes: string;
  publishedAt: string;
  url: string;
  /** The content of the `.sig` file; never empty on the desktop. */
  signature: string;
}

/** Converts an answer of either source to an offer, without any checks. */
export function offerOf({ version, notes, pub_date: publishedAt, url, signature = "" }: BackOfficeUpdate): Offer {
  return { version, notes, publishedAt, url, signature };
}

/** Whether a version is strictly newer, by semantic versioning. Throws if it is not a valid version. */
export function isNewer(offered: string, installed: string): boolean {
  if (semver.valid(offered) === null) throw new UpdateRefused("The offered version is no version number.");
  return semver.gt(offered, installed);
}

/** Rejects an offer without a signature or with an address that is not https (loopback excepted). */
export function guardOffer(offer: Offer): Offer {
  if (offer.signature.trim() === "") throw new UpdateRefused("The offered update is not signed.");
  return { ...offer, url: guardAddress(offer.url) };
}

/** Rejects a download address that others on the network could read or change. */
export function guardAddress(address: string): string {
  if (isSecure(address)) return address;
  throw new UpdateRefused("The offered download address is not secure.");
}

function isSecure(address: string): boolean {
  try {
    // Not URL.parse or URL.canParse: the terminal also calls this, and WebView 119 has neither.
    const { protocol, hostname } = new URL(address);
    const isLoopback = /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
    return protocol === "https:" || (protocol === "http:" && isLoopback);
  } catch {
    return false;
  }
}

import { stat } from "node:fs/promises";
import { parseSignature } from "../minisign/parse-minisign.ts";
import { assetPlatforms } from "../proxy/asset-platform.ts";
import { type Offer, isNewer } from "./guard-offer.ts";
import { type InstalledClient, wantedKeys } from "./installed-client.ts";
import { UpdateRefused } from "./update-refused.ts";
import { type VerifiedFile, readTrustedComment, verifySignature } from "./verify-signature.ts";

/** No installer of ours comes near it; it bounds what an unsigned length could make us fetch. */
const largestInstallerBytes = 1 << 30;

/** The most bytes that may be fetched for an offer: what its signature announces, not yet verified, and never over 1 GiB. */
export function announcedSizeBytes(offer: Offer): number {
  const { sizeBytes } = readTrustedComment(parseSignature(offer.signature).trustedComment);
  return Math.min(sizeBytes ?? largestInstallerBytes, largestInstallerBytes);
}

/**
 * Checks a downloaded file: signed by one of our keys, of the offered version, newer than this one, and an installer for
 * this very system. The signature has to name version and file: without the last three an old or foreign installer of ours, validly signed, could be passed off as the update.
 */
export async function verifyOffer(
  file: string,
  offer: Offer,
  publicKeys: readonly string[],
  client: InstalledClient,
): Promise<VerifiedFile> {
  const { size } = await stat(file);
  if (size > announcedSizeBytes(offer)) throw new UpdateRefused("The downloaded file is larger than announced.");
  const verified = await verifySignature(file, offer.signature, publicKeys);
  const { version, fileName } = verified;
  if (version === undefined || fileName === undefined) {
    throw new UpdateRefused("The downloaded file is signed, but its signature names no version or no file.");
  }
  if (version !== offer.version) {
    throw new UpdateRefused(`The downloaded file is signed as version ${version}, not ${offer.version}.`);
  }
  if (!isNewer(version, client.version)) throw new UpdateRefused("The downloaded file is not newer than this version.");
  const wanted = wantedKeys(client);
  if (!assetPlatforms(fileName).some((key) => wanted.includes(key))) {
    throw new UpdateRefused("The downloaded file is signed, but not as an installer for this system.");
  }
  return verified;
}

import { stat } from "node:fs/promises";
import { parseSignature } from "../minisign/parse-minisign.ts";
import { assetPlatforms } from "../proxy/asset-platform.ts";
import { type Offer, isNewer } from "./guard-offer.ts";
import { type InstalledClient, platformKeysOf } from "./installed-client.ts";
import { UpdateRefused } from "./update-refused.ts";
import { type VerifiedFile, readTrustedComment, verifySignature } from "./verify-signature.ts";

/** Far above the size of our installers. Limits the download whatever size a signature claims. */
const maxInstallerBytes = 1 << 30;

/** Returns the size limit of a download: the size in its (not yet verified) signature, at most 1 GiB. */
export function announcedSizeBytes(offer: Offer): number {
  const { sizeBytes } = readTrustedComment(parseSignature(offer.signature).trustedComment);
  return Math.min(sizeBytes ?? maxInstallerBytes, maxInstallerBytes);
}

/**
 * Checks that a downloaded file is signed by one of our keys, as the offered version, newer than this one, and as an installer
 * for this system. The signature must name version and file: otherwise an older installer of ours, or one for another system,
 * could be offered as the update.
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
  const platformKeys = platformKeysOf(client);
  if (!assetPlatforms(fileName).some((key) => platformKeys.includes(key))) {
    throw new UpdateRefused("The downloaded file is signed, but not as an installer for this system.");
  }
  return verified;
}

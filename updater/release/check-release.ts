import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { updatePlatformKeys } from "@comanda/protocol";
import { assetPlatforms } from "../proxy/asset-platform.ts";
import { parsePublicKey } from "../minisign/parse-minisign.ts";
import { type ReleaseChannel, hasChannel } from "../client/release-channel.ts";
import { verifySignature } from "../client/verify-signature.ts";

/** Returns the reasons against releasing a tag; empty if it may be released. */
export function checkReady(tag: string, version: string, channel: ReleaseChannel): string[] {
  const problems =
    tag === `v${version}` ? [] : [`the tag is ${tag}, but VERSION says ${version}: it would have to be v${version}`];
  if (!hasChannel(channel))
    return [
      ...problems,
      "updater/client/release-channel.ts names no proxy or no key: this release could never be updated",
    ];
  if (!channel.proxyUrl.startsWith("https://"))
    problems.push(`the update proxy's address is ${channel.proxyUrl}; it must be https`);
  for (const key of channel.publicKeys) {
    try {
      parsePublicKey(key);
    } catch {
      problems.push(`${key.slice(0, 20)}… among the public keys is none`);
    }
  }
  return problems;
}

/**
 * Checks a folder of finished assets as installed clients do: every platform has an installer, each signed by an embedded key
 * for this version and its own file name.
 */
export async function checkAssets(folder: string, version: string, publicKeys: readonly string[]): Promise<string[]> {
  const installers = readdirSync(folder).filter((name) => assetPlatforms(name).length > 0);
  const served = new Set(installers.flatMap(assetPlatforms));
  // On Windows, the plain installer is the NSIS one.
  const required = updatePlatformKeys.filter((key) => key !== "windows-x86_64-nsis");
  const problems = required.filter((key) => !served.has(key)).map((key) => `there is no installer for ${key}`);
  for (const name of installers) {
    try {
      const verified = await verifySignature(
        path.join(folder, name),
        readFileSync(path.join(folder, `${name}.sig`), "utf8"),
        publicKeys,
      );
      if (verified.version !== version)
        problems.push(`${name} is signed as version ${verified.version ?? "none"}, not ${version}`);
      if (verified.fileName !== name) problems.push(`${name} is signed as ${verified.fileName ?? "no file"}`);
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

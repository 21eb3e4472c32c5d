import type { UpdateManifest } from "@comanda/protocol";
import { assetPlatforms } from "./asset-platform.ts";
import type { PublishedRelease } from "./release-source.ts";

/** Builds a release's manifest. If two assets have the same key, the one that names the version is used. */
export function buildManifest(release: PublishedRelease): UpdateManifest {
  const platforms: UpdateManifest["platforms"] = {};
  const best = [...release.assets].sort(
    (a, b) =>
      Number(b.name.includes(release.version)) - Number(a.name.includes(release.version)) || (a.name < b.name ? -1 : 1),
  );
  for (const asset of best) {
    for (const key of assetPlatforms(asset.name)) platforms[key] ??= { url: asset.url, signature: asset.signature };
  }
  return { version: release.version, notes: release.notes, pub_date: release.publishedAt, platforms };
}

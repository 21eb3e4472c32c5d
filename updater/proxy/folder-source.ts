import { constants } from "node:fs";
import { type FileHandle, open, readFile, readdir, stat } from "node:fs/promises";
import path from "node:path";
import semver from "semver";
import { assetPlatforms } from "./asset-platform.ts";
import { chooseNewest, versionOf } from "./choose-release.ts";
import type { DownloadAddresses } from "./download-address.ts";
import { isUsableSignature } from "./is-usable-signature.ts";
import { type ReleaseSource, type SignedAsset, UpstreamError } from "./release-source.ts";

const maxSignatureBytes = 16 << 10;

export interface FolderSettings {
  root: string;
  ttlMs: number;
  addresses: DownloadAddresses;
  /** The address at which clients reach this proxy, without a trailing slash. */
  publicUrl: () => string;
}

/**
 * Reads releases from a folder: one folder per version with the assets and their `.sig` files, the notes in `NOTES.md`, and a
 * file `PUBLISHED`, whose modification time is the publication time. A version with a pre-release part is a pre-release.
 */
export function createFolderSource({ root, ttlMs, addresses, publicUrl }: FolderSettings): ReleaseSource {
  async function readAssets(folder: string): Promise<SignedAsset[]> {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const signed = await Promise.all(
      names
        .filter((name) => assetPlatforms(name).length > 0 && names.includes(`${name}.sig`))
        .map(async (name) => ({ name, signature: await readSignature(path.join(root, folder, `${name}.sig`)) })),
    );
    return signed
      .filter(({ signature }) => isUsableSignature(signature))
      .map((asset) => ({ ...asset, url: publicUrl() + addresses.create(folder, asset.name), validForMs: ttlMs }));
  }

  return {
    async latestPublished() {
      try {
        const newest = chooseNewest(await publishedFolders(root));
        if (newest === null) return null;
        const notes = await readOptional(path.join(root, newest.name, "NOTES.md"));
        return {
          version: newest.version,
          notes,
          publishedAt: newest.publishedAt,
          assets: await readAssets(newest.name),
        };
      } catch (error) {
        throw new UpstreamError(
          `the release folder cannot be read (${error instanceof Error ? error.message : String(error)})`,
        );
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Opens an installer of a published release for reading. Returns null if there is no such file. */
export async function openReleaseFile(root: string, folder: string, file: string): Promise<FileHandle | null> {
  const plain =
    versionOf(folder) !== null &&
    assetPlatforms(file).length > 0 &&
    ![folder, file].some((part) => /[/\\\0]/.test(part));
  if (!plain || (await publishedAt(root, folder)) === null) return null;
  try {
    const handle = await open(path.join(root, folder, file), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    return null;
  } catch {
    return null;
  }
}

async function publishedFolders(root: string): Promise<{ name: string; publishedAt: string }[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const candidates = entries.filter((entry) => entry.isDirectory() && isFullVersion(entry.name));
  const found = await Promise.all(
    candidates.map(async ({ name }) => ({ name, publishedAt: await publishedAt(root, name) })),
  );
  return found.flatMap(({ name, publishedAt: at }) => (at === null ? [] : [{ name, publishedAt: at }]));
}

function isFullVersion(folder: string): boolean {
  const version = versionOf(folder);
  return version !== null && semver.prerelease(version) === null;
}

async function publishedAt(root: string, folder: string): Promise<string | null> {
  try {
    return (await stat(path.join(root, folder, "PUBLISHED"))).mtime.toISOString();
  } catch {
    return null;
  }
}

async function readSignature(file: string): Promise<string> {
  const { size } = await stat(file);
  return size > maxSignatureBytes ? "" : (await readFile(file, "utf8")).trim();
}

async function readOptional(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    return "";
  }
}

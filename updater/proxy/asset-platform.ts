import type { UpdatePlatformKey } from "@comanda/protocol";

const patterns: { suffix: string; keys: UpdatePlatformKey[] }[] = [
  { suffix: "_x64-setup.exe", keys: ["windows-x86_64", "windows-x86_64-nsis"] },
  { suffix: "_x64_en-US.msi", keys: ["windows-x86_64-msi"] },
  { suffix: "_aarch64.AppImage", keys: ["linux-aarch64"] },
  { suffix: "_amd64.AppImage", keys: ["linux-x86_64"] },
];

const diskImageProcessors: { token: RegExp; key: UpdatePlatformKey }[] = [
  { token: /(^|[^A-Za-z0-9])(aarch64|arm64)([^A-Za-z0-9]|$)/, key: "darwin-aarch64" },
  { token: /(^|[^A-Za-z0-9])(x86_64|x64|amd64)([^A-Za-z0-9]|$)/, key: "darwin-x86_64" },
];

/** Returns the platform keys of a release asset by its file name; none for a file that is not an installer. */
export function assetPlatforms(fileName: string): UpdatePlatformKey[] {
  const pattern = patterns.find(({ suffix }) => fileName.endsWith(suffix));
  if (pattern !== undefined) return pattern.keys;
  if (!fileName.endsWith(".dmg")) return [];
  const stem = fileName.slice(0, -".dmg".length);
  const named = diskImageProcessors.filter(({ token }) => token.test(stem));
  // A disk image that names both processors, or none, is ambiguous and not offered.
  return named.length === 1 ? named.map(({ key }) => key) : [];
}

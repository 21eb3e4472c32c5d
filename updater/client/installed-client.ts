import type { UpdatePlatformKey } from "@comanda/protocol";

/** How this client was installed; an update must come the same way. */
export type Bundle = "nsis" | "msi" | "appimage" | "dmg";

export interface InstalledClient {
  version: string;
  os: "windows" | "linux" | "darwin";
  arch: "x86_64" | "aarch64";
  bundle: Bundle;
}

/**
 * Returns the manifest keys for this client, most specific first. An MSI client uses only the MSI: the plain Windows key is the
 * NSIS installer, which would install a second copy.
 */
export function platformKeysOf({ os, arch, bundle }: InstalledClient): UpdatePlatformKey[] {
  const plain = `${os}-${arch}`;
  return [`${plain}-${bundle}`, ...(bundle === "msi" ? [] : [plain])] as UpdatePlatformKey[];
}

/** Describes this installation in the manifest's terms; undefined on a system without releases. */
export function describeInstallation(
  version: string,
  platform: NodeJS.Platform,
  arch: string,
  isMsi: boolean,
): InstalledClient | undefined {
  const processor = arch === "x64" ? "x86_64" : arch === "arm64" ? "aarch64" : undefined;
  if (processor === undefined) return undefined;
  if (platform === "win32") return { version, os: "windows", arch: processor, bundle: isMsi ? "msi" : "nsis" };
  if (platform === "linux") return { version, os: "linux", arch: processor, bundle: "appimage" };
  if (platform === "darwin") return { version, os: "darwin", arch: processor, bundle: "dmg" };
  return undefined;
}

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
 * The manifest keys that fit this client, the most fitting first. A client installed by MSI takes only the MSI: the
 * unadorned Windows key is the NSIS installer, which would put a second copy beside it.
 */
export function wantedKeys({ os, arch, bundle }: InstalledClient): UpdatePlatformKey[] {
  const plain = `${os}-${arch}`;
  return [`${plain}-${bundle}`, ...(bundle === "msi" ? [] : [plain])] as UpdatePlatformKey[];
}

/** What this process is, in the manifest's words; undefined on a system that has no releases. */
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

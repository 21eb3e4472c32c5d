import type { Offer } from "../guard-offer.ts";
import type { Bundle } from "../installed-client.ts";
import type { FileToFetch, LatestVersion } from "./engine-types.ts";

const extensions: Record<Bundle, string> = { nsis: "exe", msi: "msi", appimage: "AppImage", dmg: "dmg" };

/**
 * Returns electron-updater's provider for our manifest. It only passes on the result of the check already made in check.ts. The
 * manifest has no SHA-512; the file's signature replaces it.
 */
export function releaseProvider(bundle: Bundle, installedVersion: string, current: () => Offer | null) {
  return class ReleaseProvider {
    readonly isUseMultipleRangeRequest = false;
    readonly fileExtraDownloadHeaders = null;

    setRequestHeaders(): void {
      // The addresses are pre-signed, so requests carry nothing about this client.
    }

    getLatestVersion(): Promise<LatestVersion> {
      const offer = current();
      // Name of the saved file. The address may contain another.
      const name = `comanda-hub-${offer?.version ?? installedVersion}.${extensions[bundle]}`;
      const releaseDate = offer?.publishedAt ?? "";
      return Promise.resolve({
        version: offer?.version ?? installedVersion,
        files: [{ url: name }],
        path: name,
        sha512: "",
        releaseDate,
      });
    }

    resolveFiles(info: LatestVersion): FileToFetch[] {
      const offer = current();
      return offer === null ? [] : info.files.map((file) => ({ url: new URL(offer.url), info: file }));
    }
  };
}

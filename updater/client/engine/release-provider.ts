import type { Offer } from "../guard-offer.ts";
import type { Bundle } from "../installed-client.ts";
import type { FileToFetch, LatestVersion } from "./engine-types.ts";

const extensions: Record<Bundle, string> = { nsis: "exe", msi: "msi", appimage: "AppImage", dmg: "dmg" };

/**
 * electron-updater's provider for our manifest. It only returns the result of the check, which check.ts makes before. The
 * manifest has no SHA-512; the signature of the file replaces it.
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
      // The name of the saved file; the address may contain another.
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

import type { Offer } from "../guard-offer.ts";
import type { Bundle } from "../installed-client.ts";
import type { FileToFetch, LatestVersion } from "./engine-types.ts";

const extensions: Record<Bundle, string> = { nsis: "exe", msi: "msi", appimage: "AppImage", dmg: "dmg" };

/**
 * electron-updater's provider for our manifest. The check itself is done before (check.ts): the provider only tells what
 * it found. There is no SHA-512 in a manifest; the signature over the file takes its place.
 */
export function releaseProvider(bundle: Bundle, installedVersion: string, current: () => Offer | null) {
  return class ReleaseProvider {
    readonly isUseMultipleRangeRequest = false;
    readonly fileExtraDownloadHeaders = null;

    setRequestHeaders(): void {
      // The addresses are pre-signed: nothing about this client goes with a request.
    }

    getLatestVersion(): Promise<LatestVersion> {
      const offer = current();
      // The name under which the file is kept; the address may have any other.
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

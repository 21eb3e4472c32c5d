/** A signed installer with an address from which anyone can download it for `validForMs`. */
export interface SignedAsset {
  name: string;
  signature: string;
  url: string;
  validForMs: number;
}

export interface PublishedRelease {
  version: string;
  notes: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  assets: SignedAsset[];
}

export interface ReleaseSource {
  /** Returns the newest published release, or null if there is none. Throws UpstreamError if the source cannot be read. */
  latestPublished(): Promise<PublishedRelease | null>;
  close(): Promise<void>;
}

/** The release host failed. The message is for the log and contains no credential or pre-signed address. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
}

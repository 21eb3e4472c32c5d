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
  /** The newest published release, or null when there is none. Throws UpstreamError when the source cannot be read. */
  latestPublished(): Promise<PublishedRelease | null>;
  close(): Promise<void>;
}

/** The release host failed. The message is for the log; it contains no credential and no pre-signed address. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
}

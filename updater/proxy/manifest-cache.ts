import { createHash } from "node:crypto";
import type { UpdateManifest } from "@comanda/protocol";
import { buildManifest } from "./build-manifest.ts";
import type { ReleaseSource } from "./release-source.ts";

/** A download that starts with the address in hand should be able to end: so much validity an address keeps at least. */
const downloadNeedsMs = 300_000;

/** A ready answer; `body` is null when nothing is published. */
export interface CachedAnswer {
  body: string | null;
  etag: string;
  /** Monotonic time at which the answer is looked up anew. */
  freshUntilMs: number;
}

export interface ManifestCache {
  get(): Promise<CachedAnswer>;
}

/**
 * Keeps the newest answer for `cacheMs`, or shorter where its addresses would end too soon: an address that lives ten
 * minutes is served for five, a shorter one for half its life. Equal misses share one look-up; failures are not kept.
 */
export function createManifestCache(source: ReleaseSource, cacheMs: number, monotonicMs: () => number): ManifestCache {
  let kept: CachedAnswer | undefined;
  let pending: Promise<CachedAnswer> | undefined;

  async function lookUp(): Promise<CachedAnswer> {
    // Counted from before the look-up, so that time spent in it never lengthens an address's life.
    const startedMs = monotonicMs();
    const release = await source.latestPublished();
    if (release === null) return { body: null, etag: '"none"', freshUntilMs: startedMs + cacheMs };
    const validForMs = Math.min(Infinity, ...release.assets.map((asset) => asset.validForMs));
    const servedForMs = validForMs - Math.min(downloadNeedsMs, validForMs / 2);
    return { ...render(buildManifest(release)), freshUntilMs: startedMs + Math.min(cacheMs, servedForMs) };
  }

  return {
    async get() {
      if (kept !== undefined && monotonicMs() < kept.freshUntilMs) return kept;
      pending ??= lookUp()
        .then((answer) => (kept = answer))
        .finally(() => (pending = undefined));
      return pending;
    },
  };
}

function render(manifest: UpdateManifest): { body: string; etag: string } {
  const body = JSON.stringify(manifest);
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` };
}

import { createHash } from "node:crypto";
import type { UpdateManifest } from "@comanda/protocol";
import { buildManifest } from "./build-manifest.ts";
import type { ReleaseSource } from "./release-source.ts";

/** Minimum remaining validity of a served address, so that a download started with it can finish. */
const downloadNeedsMs = 300_000;

/** A ready answer. `body` is null if nothing is published. */
export interface CachedAnswer {
  body: string | null;
  etag: string;
  /** Monotonic time of the next lookup. */
  freshUntilMs: number;
}

/** How long a failure is cached, so that clients cannot flood a host that is down. */
const failureCacheMs = 5_000;

/**
 * Caches the newest answer for `cacheMs`, or less if its addresses expire sooner: an address valid for ten minutes is served
 * for five, a shorter one for half its validity. Concurrent misses share one lookup. A failure is cached for 5 s, or for
 * `cacheMs` if that is shorter.
 */
export function createManifestCache(source: ReleaseSource, cacheMs: number, monotonicMs: () => number) {
  let cached: CachedAnswer | undefined;
  let pending: Promise<CachedAnswer> | undefined;
  let failure: { error: unknown; untilMs: number } | undefined;

  const retryAfterMs = () => Math.max(0, (failure?.untilMs ?? 0) - monotonicMs());

  async function lookUp(): Promise<CachedAnswer> {
    // Measured from before the lookup, so that its duration never extends the validity of an address.
    const startedMs = monotonicMs();
    const release = await source.latestPublished();
    if (release === null) return { body: null, etag: '"none"', freshUntilMs: startedMs + cacheMs };
    const validForMs = Math.min(Infinity, ...release.assets.map((asset) => asset.validForMs));
    const servedForMs = validForMs - Math.min(downloadNeedsMs, validForMs / 2);
    return { ...render(buildManifest(release)), freshUntilMs: startedMs + Math.min(cacheMs, servedForMs) };
  }

  async function renew(): Promise<CachedAnswer> {
    try {
      cached = await lookUp();
      return cached;
    } catch (error) {
      failure = { error, untilMs: monotonicMs() + Math.min(failureCacheMs, cacheMs) };
      throw error;
    } finally {
      pending = undefined;
    }
  }

  return {
    /** Rejects with the lookup's failure, also while that failure is cached. */
    async get() {
      if (cached !== undefined && monotonicMs() < cached.freshUntilMs) return cached;
      if (failure !== undefined && retryAfterMs() > 0) throw failure.error;
      return (pending ??= renew());
    },
    /** Time until the release host is asked again after a failure, in ms; 0 if the next check asks. */
    retryAfterMs,
  };
}

export type ManifestCache = ReturnType<typeof createManifestCache>;

function render(manifest: UpdateManifest): { body: string; etag: string } {
  const body = JSON.stringify(manifest);
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` };
}

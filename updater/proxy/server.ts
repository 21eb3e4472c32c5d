import type { Server } from "node:http";
import Koa from "koa";
import Router from "koa-router";
import type { Logger } from "pino";
import type { DownloadAddresses } from "./download-address.ts";
import { openReleaseFile } from "./folder-source.ts";
import type { ManifestCache } from "./manifest-cache.ts";
import { UpstreamError } from "./release-source.ts";
import { sendFile } from "./send-file.ts";

export interface ProxyParts {
  cache: ManifestCache;
  monotonicMs: () => number;
  log: Logger;
  /** Only for releases from a folder. */
  downloads?: { root: string; addresses: DownloadAddresses };
}

/** Builds the proxy's HTTP server: `/update/check`, `/health` and, for releases from a folder, `/download/…`. */
export function createProxyApp({ cache, monotonicMs, log, downloads }: ProxyParts): Koa {
  const app = new Koa();
  const router = new Router({ strict: true, sensitive: true });

  router.get("/health", (ctx) => {
    ctx.set("cache-control", "no-store");
    ctx.body = { ok: true };
  });

  router.get("/update/check", async (ctx) => {
    const answer = await cache.get();
    const secondsLeft = Math.max(0, Math.floor((answer.freshUntilMs - monotonicMs()) / 1000));
    // Whole remaining seconds, so that copies cached by a CDN or client never outlive their addresses.
    ctx.set({ "cache-control": secondsLeft > 0 ? `public, max-age=${secondsLeft}` : "no-cache", etag: answer.etag });
    ctx.status = answer.body === null ? 204 : 200;
    if (answer.body === null) return;
    if (hasCurrent(ctx.get("if-none-match"), answer.etag)) {
      ctx.status = 304;
      return;
    }
    ctx.type = "application/json";
    ctx.body = answer.body;
  });

  if (downloads !== undefined) {
    const { root, addresses } = downloads;
    router.get("/download/:folder/:file", async (ctx) => {
      const { folder = "", file = "" } = ctx.params as { folder?: string; file?: string };
      const verdict = addresses.check(folder, file, ctx.query["expires"], ctx.query["signature"]);
      if (verdict === "forged") return refuse(ctx, 403, "FORBIDDEN", "this download address was not made here");
      if (verdict === "expired")
        return refuse(ctx, 403, "ADDRESS_EXPIRED", "this download address is over; repeat the check");
      const handle = await openReleaseFile(root, folder, file);
      if (handle === null) return refuse(ctx, 404, "NOT_FOUND", "there is no such file");
      log.info({ folder, file, range: ctx.get("range") || undefined }, "download");
      await sendFile(ctx, handle, file);
    });
  }

  app.use(errorEdge(log, cache));
  app.use(router.routes());
  app.use((ctx) => refuse(ctx, 404, "NOT_FOUND", "there is nothing here"));
  // Reached only when a connection broke during a download. The middleware above handles all other errors.
  app.on("error", (error: Error) => log.debug({ reason: error.message }, "connection broke"));
  return app;
}

/** Whether the client's copy is current. Koa's `fresh` also obeys `Cache-Control: no-cache`, which fetch adds. */
function hasCurrent(ifNoneMatch: string, etag: string): boolean {
  const etags = ifNoneMatch.split(",").map((entry) => entry.trim().replace(/^W\//, ""));
  return etags.includes(etag) || etags.includes("*");
}

function errorEdge(log: Logger, cache: ManifestCache): Koa.Middleware {
  /** One failure answers many checks, but is logged once. */
  let logged: unknown;
  return async (ctx, next) => {
    ctx.set("x-content-type-options", "nosniff");
    try {
      await next();
    } catch (error) {
      if (error instanceof UpstreamError) {
        if (error !== logged) log.warn({ reason: error.message }, "release host failed");
        logged = error;
        ctx.set("retry-after", String(Math.max(1, Math.ceil(cache.retryAfterMs() / 1000))));
        return refuse(ctx, 502, "UPSTREAM_UNAVAILABLE", "the release host cannot be read");
      }
      const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
      if (status >= 400 && status < 500)
        return refuse(ctx, status, "VALIDATION_ERROR", "this request cannot be served");
      log.error({ err: error }, "request failed");
      refuse(ctx, 500, "INTERNAL_ERROR", "something went wrong");
    }
  };
}

function refuse(ctx: Koa.Context, status: number, errorCode: string, error: string): void {
  ctx.status = status;
  ctx.set("cache-control", "no-store");
  ctx.remove("etag");
  ctx.remove("content-disposition");
  ctx.body = { error, errorCode };
}

/** Closes a server: no new connections; open requests have `graceMs` to finish. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

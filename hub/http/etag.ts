import { hash } from "node:crypto";
import type { Context } from "koa";

/** Returns the ETag of an answer that is the same text each time. */
export function etagOf(text: string | Buffer): string {
  return `"${hash("sha256", text, "base64url")}"`;
}

/**
 * Sets the ETag of the answer and returns whether the caller already has it. Koa's own comparison mistakes the `Cache-Control:
 * no-cache` that every `fetch` with If-None-Match sends for a forced reload.
 */
export function isNotModified(ctx: Context, etag: string): boolean {
  ctx.set("ETag", etag);
  ctx.set("Cache-Control", "no-cache");
  return ctx
    .get("If-None-Match")
    .split(",")
    .some((each) => each.trim().replace(/^W\//, "") === etag);
}

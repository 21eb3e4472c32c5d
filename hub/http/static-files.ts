import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Middleware } from "koa";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** Serves the files that a folder held at the start; `fallback` replaces a missing page. */
export function staticFiles(dir: string, fallback: Readonly<Record<string, string>>): Middleware {
  const names = new Set(existsSync(dir) ? filesIn(dir) : []);
  const read = createReader(dir);
  return async (ctx, next) => {
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    const name = ctx.path === "/" ? "index.html" : ctx.path.slice(1);
    const type = types[path.extname(name)];
    const file = names.has(name) ? read(name) : asFile(fallback[name]);
    if (file === null || type === undefined) return next();
    ctx.set(pageHeaders as Record<string, string>);
    ctx.set("Cache-Control", name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    ctx.set("ETag", file.etag);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = type;
    ctx.body = file.content;
  };
}

interface File {
  content: Buffer;
  etag: string;
}

/** Reads a file once until it changes: a thousand peers that read slowly share one copy. */
function createReader(dir: string): (name: string) => File {
  const kept = new Map<string, File & { mtimeMs: number }>();
  return (name) => {
    const file = path.join(dir, name);
    const { mtimeMs } = statSync(file);
    const before = kept.get(name);
    if (before?.mtimeMs === mtimeMs) return before;
    const read = { ...asFile(readFileSync(file)), mtimeMs };
    kept.set(name, read);
    return read;
  };
}

function asFile(content: string | Buffer): File;
function asFile(content: string | undefined): File | null;
function asFile(content: string | Buffer | undefined): File | null {
  if (content === undefined) return null;
  const etag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  return { content: Buffer.from(content), etag };
}

function filesIn(dir: string, prefix = ""): string[] {
  return readdirSync(path.join(dir, prefix)).flatMap((name) => {
    const relative = prefix === "" ? name : `${prefix}/${name}`;
    return statSync(path.join(dir, relative)).isDirectory() ? filesIn(dir, relative) : [relative];
  });
}

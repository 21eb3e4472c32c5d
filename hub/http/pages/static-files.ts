import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Middleware } from "koa";
import { etagOf } from "../etag.ts";

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

/** The content security policy. Safari before 16 does not count WebSockets as `'self'` and needs the host by name. */
function policyFor(host: string): string {
  const socket = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host}` : "";
  return (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
    `connect-src 'self'${socket}; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  );
}

/** Compressed variants that the build stores beside a file, smallest first. */
const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

/** Serves the files that `dir` held at the start under `at`, compressed if the client accepts it. */
export function staticFiles(dir: string, at: "/" | "/terminal/"): Middleware {
  const names = new Set(existsSync(dir) ? filesIn(dir) : []);
  const read = createReader(dir);
  return async (ctx, next) => {
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    if (`${ctx.path}/` === at) return ctx.redirect(at);
    if (!ctx.path.startsWith(at)) return next();
    const name = ctx.path === at ? "index.html" : ctx.path.slice(at.length);
    const type = types[path.extname(name)];
    if (type === undefined || !names.has(name)) return next();
    const encoding = encodings.find(
      (each) => names.has(name + each.suffix) && ctx.acceptsEncodings(each.name) !== false,
    );
    const file = read(name + (encoding?.suffix ?? ""));
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.set("Content-Security-Policy", policyFor(ctx.host));
    ctx.vary("Accept-Encoding");
    ctx.set("Cache-Control", name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    ctx.set("ETag", file.etag);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    if (encoding !== undefined) ctx.set("Content-Encoding", encoding.name);
    ctx.type = type;
    ctx.body = file.content;
  };
}

interface File {
  content: Buffer;
  etag: string;
}

/** Reads a file once until it changes, so that slow readers share one copy. */
function createReader(dir: string): (name: string) => File {
  const cache = new Map<string, File & { mtimeMs: number }>();
  return (name) => {
    const file = path.join(dir, name);
    const { mtimeMs } = statSync(file);
    const before = cache.get(name);
    if (before?.mtimeMs === mtimeMs) return before;
    const content = readFileSync(file);
    const read = { content, etag: etagOf(content), mtimeMs };
    cache.set(name, read);
    return read;
  };
}

function filesIn(dir: string, prefix = ""): string[] {
  return readdirSync(path.join(dir, prefix)).flatMap((name) => {
    const relative = prefix === "" ? name : `${prefix}/${name}`;
    return statSync(path.join(dir, relative)).isDirectory() ? filesIn(dir, relative) : [relative];
  });
}

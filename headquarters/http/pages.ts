import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Router from "koa-router";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Compressed variants that the build writes beside a file, smallest first. */
const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

/** Serves the built screens at `/`, read from a folder once at the start. Serves nothing if they were not built. */
export function pages(folder: string): Router {
  const files = new Map(filesIn(folder).map((name) => [name, readFileSync(path.join(folder, name))]));
  const router = new Router();
  router.get(/^\/.*$/, (ctx, next) => {
    const name = ctx.path === "/" ? "index.html" : ctx.path.slice(1);
    const type = types[path.extname(name)];
    const plain = files.get(name);
    if (plain === undefined || type === undefined) return next();
    const encoding = encodings.find(
      (each) => files.has(name + each.suffix) && ctx.acceptsEncodings(each.name) !== false,
    );
    const content = encoding === undefined ? plain : (files.get(name + encoding.suffix) ?? plain);
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("Content-Security-Policy", POLICY);
    ctx.vary("Accept-Encoding");
    ctx.set("Cache-Control", name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache");
    ctx.set("ETag", `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    if (encoding !== undefined) ctx.set("Content-Encoding", encoding.name);
    ctx.type = type;
    ctx.body = content;
  });
  return router;
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));
}

import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { originOf } from "../bridge/ipc.ts";
import { terminalOrigin } from "../window/app-addresses.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/**
 * As strict as the hub's for the same page. The hub may be at any address, so the socket may lead to any: HTTP goes
 * through the app.
 */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // The files are on this PC; a kept copy could only be one of an older version of the app.
  "cache-control": "no-store",
};

/** Handles requests of `app://terminal/` with the files that the folder holds at the start; 404 for everything else. */
export function createTerminalPage(folder: string): (request: { url: string; method: string }) => Promise<Response> {
  const names = new Set(filesIn(folder));
  return async ({ url, method }) => {
    const { pathname } = new URL(url);
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    const type = types[path.extname(name)];
    const isOurs = originOf(url) === terminalOrigin && (method === "GET" || method === "HEAD") && names.has(name);
    if (!isOurs || type === undefined) return new Response("not found", { status: 404, headers });
    const content = method === "HEAD" ? null : await readFile(path.join(folder, name));
    return new Response(content, { headers: { ...headers, "content-type": type } });
  };
}

/** Every file below a folder, relative to it, with slashes. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/") : [],
  );
}

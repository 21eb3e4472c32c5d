import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { originOf } from "../bridge/ipc.ts";
import { builtInOrigin, terminalOrigin } from "./app-addresses.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

const policies = {
  [builtInOrigin]:
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  /**
   * As strict as the hub's policy for this page, but sockets may connect anywhere, as the hub may have any address. HTTP goes
   * through the app.
   */
  [terminalOrigin]:
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
    "connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Serves requests for one of our origins from the files in its folder at startup; 404 for anything else. */
export function createAppPage(
  origin: keyof typeof policies,
  folder: string,
): (request: { url: string; method: string }) => Promise<Response> {
  const headers = {
    "content-security-policy": policies[origin],
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    // The files are on this PC. A cached copy could only be from an older version of the app.
    "cache-control": "no-store",
  };
  const names = new Set(filesIn(folder));
  return async ({ url, method }) => {
    const { pathname } = new URL(url);
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    const type = types[path.extname(name)];
    const isOurs = originOf(url) === origin && (method === "GET" || method === "HEAD") && names.has(name);
    if (!isOurs || type === undefined) return new Response("not found", { status: 404, headers });
    const content = method === "HEAD" ? null : await readFile(path.join(folder, name));
    return new Response(content, { headers: { ...headers, "content-type": type } });
  };
}

/** Returns every file below a folder, as relative paths with slashes. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/") : [],
  );
}

import { readFile } from "node:fs/promises";
import path from "node:path";
import { originOf } from "../bridge/ipc.ts";
import { builtInOrigin } from "./app-addresses.ts";

const types: Record<string, string> = {
  "index.html": "text/html; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
};

const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Handles requests of our scheme: the three files of the built-in page, 404 for everything else. */
export function createBuiltInPage(folder: string): (request: { url: string }) => Promise<Response> {
  return async ({ url }) => {
    const { pathname } = new URL(url);
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    const type = originOf(url) === builtInOrigin ? types[name] : undefined;
    if (type === undefined) return new Response("not found", { status: 404, headers });
    return new Response(await readFile(path.join(folder, name)), { headers: { ...headers, "content-type": type } });
  };
}

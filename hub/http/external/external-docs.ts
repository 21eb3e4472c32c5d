import type { Middleware } from "koa";
import { docsPage, docsStyle } from "./openapi/docs-page.ts";
import { openApiDocument } from "./openapi/open-api.ts";

const headers = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

/** The description of the integration API, as a file for tools and as a page; both made when first asked for. */
export function externalDocs(version: string): Middleware {
  let made: Readonly<Record<string, { type: string; body: string }>> | undefined;
  const make = (): NonNullable<typeof made> => {
    const document = openApiDocument(version);
    return {
      "/external/openapi.json": { type: "application/json", body: `${JSON.stringify(document, null, 2)}\n` },
      "/external/docs": { type: "text/html; charset=utf-8", body: docsPage(document) },
      "/external/docs.css": { type: "text/css; charset=utf-8", body: docsStyle },
    };
  };
  return async (ctx, next) => {
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    if (!isRead || !ctx.path.startsWith("/external/")) return next();
    made ??= make();
    const found = made[ctx.path];
    if (found === undefined) return next();
    ctx.set(headers);
    ctx.type = found.type;
    ctx.body = found.body;
  };
}

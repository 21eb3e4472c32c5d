import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Middleware } from "koa";

const documentFile = path.resolve(import.meta.dirname, "../../../docs/openapi.json");

/** The description of the integration API, as generated from the schemas that validate. */
export function externalDocs(): Middleware {
  const description = existsSync(documentFile) ? readFileSync(documentFile, "utf8") : null;
  return async (ctx, next) => {
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    if (!isRead || ctx.path !== "/external/openapi.json" || description === null) return next();
    ctx.set("Cache-Control", "no-cache");
    ctx.type = "application/json";
    ctx.body = description;
  };
}

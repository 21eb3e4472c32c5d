import type { Logger } from "pino";
import { FinalizeRefused, Refusal } from "../refusal.ts";
import type { Context, Next } from "./context.ts";

/** Refusals in their own words; anything else is a bug, logged whole and answered bare. */
export function errorEdge(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      if (error instanceof Refusal || error instanceof FinalizeRefused) {
        ctx.status = error.status;
        ctx.body = error.body();
        return;
      }
      log.error({ err: error, method: ctx.method, path: ctx.path }, "request failed");
      ctx.status = 500;
      ctx.body = { error: "internal error", errorCode: "INTERNAL_ERROR" };
    }
  };
}

/** The last step: nobody knew this method and path. */
export function nothingHere(ctx: Context): never {
  throw new Refusal("NOT_FOUND", `there is no ${ctx.method} ${ctx.path}`);
}

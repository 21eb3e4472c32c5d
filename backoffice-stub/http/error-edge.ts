import type { Logger } from "pino";
import { Refusal } from "../refusal.ts";
import type { Context, Next } from "./context.ts";

/** Answers a Refusal with its body. Any other error is a bug: logged in full, answered without details. */
export function errorEdge(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      if (error instanceof Refusal) {
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

/** The last step: throws NOT_FOUND, because no route matches. */
export function notFound(ctx: Context): never {
  throw new Refusal("NOT_FOUND", `there is no ${ctx.method} ${ctx.path}`);
}

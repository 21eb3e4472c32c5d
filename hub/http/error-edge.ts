import { logEvent } from "../platform/log-event.ts";
import { errorStatus, operatorApi, type ErrorBody } from "@comanda/protocol";
import type { Middleware } from "koa";
import { asStorageError, HubError } from "../platform/errors.ts";
import { JobCancelled } from "../jobs/jobs.ts";
import type { World } from "../platform/world.ts";

/** Turns refusals into answers. Other errors are logged in full and answered without details. */
export function errorEdge(world: World): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null) throw new HubError("NOT_FOUND", "there is nothing at this address");
    } catch (thrown) {
      const error = asStorageError(thrown);
      const refusal: HubError = error instanceof HubError ? error : new HubError("INTERNAL_ERROR", "the hub failed");
      // A job is cancelled when its client hangs up or the hub stops; that is no fault.
      const isFault = refusal !== error && !(error instanceof JobCancelled);
      if (isFault)
        world.log.error(
          logEvent("request_failed", { err: error, method: ctx.method, path: ctx.path }),
          "a request failed",
        );
      const explanation = ctx.path.startsWith(`${operatorApi.prefix}/`) ? refusal.explanation : {};
      const body: ErrorBody = { error: refusal.message, errorCode: refusal.code, ...refusal.details, ...explanation };
      ctx.status = errorStatus[refusal.code];
      ctx.body = body;
      // The unread rest of a body must not be parsed as the next request.
      if (!ctx.req.complete) ctx.set("Connection", "close");
    }
  };
}

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa, { type Middleware } from "koa";
import type Router from "koa-router";
import { DatabaseFailure } from "../db/database.ts";
import { Refusal, refusalStatus } from "../refusal.ts";
import type { World } from "../world.ts";

const CLOSE_MS = 3_000;

/** Serves `routers` in their order. Resolves when the server listens; throws if it cannot. */
export async function serveHttp(
  { host, port, behindProxy }: { host: string; port: number; behindProxy: boolean },
  routers: readonly Router[],
  world: World,
) {
  const app = new Koa({ proxy: behindProxy, maxIpsCount: 1 });
  app.on("error", (error: unknown) => world.log.warn({ err: error }, "an answer could not be sent"));
  app.use(refusals(world));
  for (const router of routers) app.use(router.routes());
  const server = createServer((request, response) => void app.callback()(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(new Error(`HQ_HOST and HQ_PORT: ${cause.message}`, { cause })));
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, stop: (): Promise<void> => close(server) };
}

/** Turns refusals into answers; anything else is logged in full and answered without details. */
function refusals({ log }: World): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null) throw new Refusal("NOT_FOUND", "there is nothing at this address");
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== error) log.error({ err: error, method: ctx.method, path: ctx.path }, "a request failed");
      ctx.status = refusalStatus[refusal.code];
      ctx.body = { error: refusal.message, errorCode: refusal.code };
      // The unread rest of a body must not be taken for the next request.
      if (!ctx.req.complete) ctx.set("Connection", "close");
    }
  };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseFailure) return new Refusal("DATABASE_UNAVAILABLE", "the database does not answer");
  return new Refusal("INTERNAL_ERROR", "headquarters failed");
}

/** Finishes requests in flight, and ends event streams after CLOSE_MS. */
function close(server: Server): Promise<void> {
  setTimeout(() => server.closeAllConnections(), CLOSE_MS).unref();
  return new Promise((resolve) => void server.close(() => resolve()));
}

import { deadline } from "@nats-io/transport-node";
import Router from "koa-router";
import type { Database } from "../db/database.ts";
import type { Nats } from "../nats/open-nats.ts";

const WAIT_MS = 2_000;

/** Returns GET /health: 200 if everything works, else 503 with the reasons. It needs no sign-in and reveals no restaurants. */
export function healthRoutes({ database, nats }: { database: Database; nats: Nats }): Router {
  const router = new Router();
  router.get("/health", async (ctx) => {
    const parts = { database: database.query("SELECT 1"), nats: nats.connection.flush() };
    const ended = await Promise.allSettled(Object.values(parts).map((part) => deadline<unknown>(part, WAIT_MS)));
    const reasons = Object.keys(parts).filter((_, index) => ended[index]?.status === "rejected");
    ctx.status = reasons.length === 0 ? 200 : 503;
    ctx.body = { status: reasons.length === 0 ? "ok" : "degraded", reasons };
  });
  return router;
}

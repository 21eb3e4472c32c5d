import Router from "koa-router";
import type { Database } from "../db/database.ts";
import type { Nats } from "../nats/open-nats.ts";

/** GET /health: 200 where everything runs, else 503 with what does not. It needs no sign-in and says nothing of restaurants. */
export function healthRoutes({ database, nats }: { database: Database; nats: Nats }): Router {
  const router = new Router();
  router.get("/health", async (ctx) => {
    const parts: [string, () => Promise<unknown>][] = [
      ["database", () => database.query("SELECT 1")],
      ["nats", () => flushed(nats)],
    ];
    const checked = await Promise.all(parts.map(async ([name, check]) => ((await works(check)) ? [] : [name])));
    const reasons = checked.flat();
    ctx.status = reasons.length === 0 ? 200 : 503;
    ctx.body = { status: reasons.length === 0 ? "ok" : "degraded", reasons };
  });
  return router;
}

const WAIT_MS = 2_000;

async function flushed({ connection }: Nats): Promise<void> {
  const late = AbortSignal.timeout(WAIT_MS);
  await new Promise<void>((resolve, reject) => {
    late.addEventListener("abort", () => reject(new Error("no answer")), { once: true });
    connection.flush().then(resolve, reject);
  });
}

async function works(check: () => Promise<unknown>): Promise<boolean> {
  return check().then(
    () => true,
    () => false,
  );
}

import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { headquartersApi, type HqRoute, type HqRoutes } from "@comanda/protocol/headquarters-routes.ts";
import type { Context } from "koa";
import Router from "koa-router";
import type { z } from "zod";
import type { People } from "../people/people.ts";
import type { Caller } from "../people/sessions.ts";
import { Refusal } from "../refusal.ts";
import { parse, readJson } from "../read-json.ts";
import type { Sent } from "../sent.ts";
import { sessionTokenOf, setSession } from "./session-cookie.ts";

const WORTH_COMPRESSING = 4_096;
const gzipped = promisify<string, { level: number }, Buffer>(gzip);

type Parsed<R extends HqRoute, Part extends "query" | "body"> =
  R extends Readonly<Record<Part, infer S extends z.ZodType>> ? z.output<S> : undefined;

/** A request whose caller, query and body have passed every check of its route. */
export interface Call<R extends HqRoute> {
  caller: R["access"] extends "public" ? Caller | null : Caller;
  /** The value of the path's only parameter. */
  id: string;
  query: Parsed<R, "query">;
  body: Parsed<R, "body">;
  /** The session token; empty without a session. */
  token: string;
  /** The client's IP address, for rate limits and the audit log. */
  address: string;
  /** Sets the session cookie, or clears it if `null`. */
  setSession(token: string | null): void;
  ctx: Context;
}
type Answer<R extends HqRoute> = R extends { answer: infer S extends z.ZodType } ? Sent<z.input<S>> : void;

export type Handlers = {
  readonly [N in keyof HqRoutes]: (call: Call<HqRoutes[N]>) => Promise<Answer<HqRoutes[N]>>;
};

/** Serves the table of routes. Checks a request's origin, session, role, query and body, in this order. */
export function serveApi(handlers: Handlers, people: People): Router {
  const router = new Router({ sensitive: true, strict: true });
  for (const [name, route] of Object.entries<HqRoute>(headquartersApi.routes)) {
    const handle = handlers[name as keyof HqRoutes] as (call: unknown) => Promise<unknown>;
    router.register(route.path, [route.method], async (ctx) => {
      ctx.set("Cache-Control", "no-store");
      const answer = await handle(await callOf(ctx, route, people));
      if (route.stream === true) return;
      ctx.status = route.status ?? 200;
      await sendJson(ctx, JSON.stringify(answer));
    });
  }
  return router;
}

async function callOf(ctx: Context, route: HqRoute, people: People): Promise<Call<HqRoute>> {
  if (route.method !== "GET") requireOwnOrigin(ctx);
  const token = sessionTokenOf(ctx);
  const caller = token === "" ? null : await people.callerOf(token);
  if (route.access !== "public") {
    if (caller === null) throw new Refusal("UNAUTHENTICATED", "sign in first");
    if (!route.access.includes(caller.role)) throw new Refusal("FORBIDDEN", "this is not for your role");
  }
  return {
    caller: caller as Caller,
    id: ctx.path.split("/")[4] ?? "",
    query: (route.query === undefined ? undefined : parse(route.query, ctx.query, "query")) as undefined,
    body: (route.body === undefined ? undefined : await readBody(ctx, route.body)) as undefined,
    token,
    address: ctx.ip,
    setSession: (next) => setSession(ctx, next),
    ctx,
  };
}

/** Accepts only `application/json`, which a form on a foreign page cannot send. */
async function readBody(ctx: Context, schema: z.ZodType): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(ctx.get("Content-Type"))) {
    throw new Refusal("VALIDATION_ERROR", "Content-Type: must be application/json");
  }
  return readJson(ctx.req, schema);
}

/** Compresses large answers: 500 restaurants are 400 kB, and a tenth of that compressed. */
async function sendJson(ctx: Context, json: string): Promise<void> {
  ctx.type = "application/json";
  ctx.vary("Accept-Encoding");
  if (json.length < WORTH_COMPRESSING || ctx.acceptsEncodings("gzip") === false) {
    ctx.body = json;
    return;
  }
  ctx.set("Content-Encoding", "gzip");
  ctx.body = await gzipped(json, { level: constants.Z_BEST_SPEED });
}

/** Rejects requests from pages of another origin, which the browser names in the Origin header. */
function requireOwnOrigin(ctx: Context): void {
  const origin = ctx.get("Origin");
  if (origin === "") return;
  if (!URL.canParse(origin) || new URL(origin).host !== ctx.host) {
    throw new Refusal("FORBIDDEN", "another page may not do this");
  }
}

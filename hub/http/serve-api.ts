import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { inputIssues, type HttpApi, type HttpRoute, needsConfirmation, type RateLimit } from "@comanda/protocol";
import type { Middleware, ParameterizedContext } from "koa";
import Router from "koa-router";
import type { z } from "zod";
import type { KeyHolder } from "../keys/key-store.ts";
import { compileOnce } from "../platform/compile-once.ts";
import { describeIssues } from "../platform/describe-issues.ts";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { isUnconfirmable, sessionTokenOf, type Access, type Manager, type SessionUser } from "./access/access.ts";
import { BODY_LIMIT, drain, hasBody, skipBody, PUBLIC_BODY_LIMIT, readJsonObject } from "./body.ts";
import { Reply, type Call, type Download, type Handlers } from "./handlers.ts";
import { createRateLimiter } from "../platform/rate-limiter.ts";

export interface ApiDeps {
  world: World;
  access: Access;
  /** How many requests per minute each rate limit allows. */
  limits: Readonly<Record<RateLimit, number>>;
  /** Records the payer of a request's session or key. */
  accepted(request: IncomingMessage, payer: string): void;
  /** Resolves when all changes so far are committed. */
  settled(): Promise<void>;
  /** Throws for disabled paths and for pages that may not call, before the caller is identified. */
  gate?(path: string, request: IncomingMessage): void;
}

interface Caller {
  manager: Manager | null;
  key: KeyHolder | null;
  user: SessionUser | null;
  deviceId: string | null;
}
const anonymous: Caller = { manager: null, key: null, user: null, deviceId: null };
type Context = ParameterizedContext<{ caller?: Caller }> & { captures?: string[] };

/**
 * Serves an API from its route table. A request passes, in this order: budget of its address, gate, credential and budget of
 * its key, route, access, query, body size, JSON and schema. Then its handler answers.
 */
export function serveApi<R extends HttpApi["routes"]>(
  api: HttpApi & { routes: R },
  handlers: Handlers<R>,
  deps: ApiDeps,
): Middleware {
  const { world, access, settled, gate } = deps;
  const limiter = (name: RateLimit) => createRateLimiter(deps.limits[name], world.clock.monotonic);
  const servesManagers = Object.values<HttpRoute>(api.routes).some((route) => route.access === "manager");
  const peerLimiters = api.budgets.filter((name) => name !== "key").map(limiter);
  const keyLimiters = api.budgets.filter((name) => name === "key").map(limiter);
  const router = new Router({ sensitive: true, strict: true });
  // The first match wins, so a fixed segment must come before a parameter.
  const routes = Object.entries<HttpRoute>(api.routes).toSorted(
    ([, a], [, b]) => a.path.split(":").length - b.path.split(":").length,
  );
  for (const [name, route] of routes) {
    const handle = handlers[name] as (call: unknown) => unknown;
    router.register(route.path, [route.method], (ctx) => serve(ctx, route, handle));
  }
  const dispatch = router.routes() as unknown as Middleware;

  return async (ctx, next) => {
    if (ctx.path !== api.prefix && !ctx.path.startsWith(`${api.prefix}/`)) return next();
    try {
      // Responses for managers must not be cached.
      if (api.credential !== "key") ctx.set("Cache-Control", "no-store");
      if (!peerLimiters.every((budget) => budget.admits(ctx.ip))) throw rateLimited("from this address");
      gate?.(ctx.path, ctx.req);
      if (api.credential === "key") {
        const key = access.key(ctx.req);
        if (!keyLimiters.every((budget) => budget.admits(key.keyId))) throw rateLimited("with this key");
        ctx.state["caller"] = { ...anonymous, key };
      } else if (api.credential === "manager") {
        ctx.state["caller"] = { ...anonymous, manager: requireManager(await access.managerNow(ctx)) };
      }
      // koa-router would answer HEAD with the GET handler.
      if (ctx.method === "HEAD") throw routeNotFound(ctx);
      await dispatch(ctx, () => {
        throw routeNotFound(ctx);
      });
    } catch (error) {
      await drain(world, ctx.req);
      throw error;
    }
  };

  async function serve(ctx: Context, route: HttpRoute, handle: (call: unknown) => unknown): Promise<void> {
    const params = decodeParams(route, ctx.captures ?? []);
    if (params === null && api.credential === undefined) throw routeNotFound(ctx);
    const caller = ctx.state.caller ?? (await identify(ctx, route));
    authorize(caller, route);
    const payer = payerOf(caller);
    if (payer !== null) deps.accepted(ctx.req, payer);
    const query = route.query === undefined ? undefined : parse(route.query, ctx.query);
    const limit = caller === anonymous ? PUBLIC_BODY_LIMIT : BODY_LIMIT;
    const body =
      route.body === undefined
        ? await skipBody(ctx.req, limit)
        : parse(compileOnce(route.body), await readBodyOf(ctx.req, route, limit));
    if (params === null) throw new HubError("VALIDATION_ERROR", "the path has a malformed escape");
    if (caller.manager !== null && needsConfirmation(route, body)) access.requireConfirmed(caller.manager);
    // A write with a key does all its checks in its transaction.
    if (caller.key === null || route.method === "GET") await settled();
    const deviceId = route.access === "device" ? access.device(deviceKeyOf(query) ?? deviceKeyOf(body) ?? "") : null;
    const shownToken = sessionTokenOf(ctx.req);
    send(ctx, route, await handle({ ...caller, deviceId, shownToken, params, query, body, ctx } satisfies AnyCall));
  }

  async function identify(ctx: Context, route: HttpRoute): Promise<Caller> {
    if (route.access === "terminal") return { ...anonymous, user: await access.user(ctx) };
    if (!servesManagers) return anonymous;
    try {
      const manager = await access.manager(ctx);
      return manager === null ? anonymous : { ...anonymous, manager };
    } catch (error) {
      // If no token can be confirmed, public routes stay readable: the screens must not fail with the back-office line.
      if (isUnconfirmable(error) && route.access === "public") return anonymous;
      throw error;
    }
  }
}

/** Returns the payer under which a caller's requests take turns, or null for an anonymous caller. */
function payerOf({ manager, user, key }: Caller): string | null {
  if (key !== null) return `key ${key.keyId}`;
  const person = manager ?? user;
  return person === null ? null : `user ${person.userId}`;
}

function deviceKeyOf(input: unknown): string | null {
  const hasKey = typeof input === "object" && input !== null && "deviceKey" in input;
  return hasKey && typeof input.deviceKey === "string" ? input.deviceKey : null;
}

type AnyCall = Record<keyof Call<HttpRoute> | keyof Caller, unknown>;

function requireManager(manager: Manager | null): Manager {
  if (manager !== null) return manager;
  throw new HubError("UNAUTHENTICATED", "sign in first: Authorization: Bearer <back-office session id>");
}

/** Throws UNAUTHENTICATED or FORBIDDEN if the route does not admit the caller. */
function authorize({ key, manager }: Caller, { access }: HttpRoute): void {
  if (access === "manager") requireManager(manager);
  else if (access === "public" || access === "terminal" || access === "device") return;
  else if (key?.scopes.includes(access) !== true) {
    throw new HubError("FORBIDDEN", `this key lacks the scope ${access}`, { requiredScope: access });
  }
}

function rateLimited(source: string): HubError {
  return new HubError("RATE_LIMITED", `too many requests ${source}`);
}

function routeNotFound({ method, path }: { method: string; path: string }): HubError {
  return new HubError("NOT_FOUND", `there is no ${method} ${path}`);
}

/**
 * Decodes each path segment once: `%2F` is a slash in a reference, `%252F` is not. Returns null for a malformed escape. Not
 * `ctx.params`: there koa-router reads "+" as a space and accepts malformed escapes.
 */
function decodeParams({ path }: HttpRoute, captures: readonly string[]): Record<string, string> | null {
  try {
    const names = [...path.matchAll(/:(\w+)/g)];
    return Object.fromEntries(names.map(([, name = ""], index) => [name, decodeURIComponent(captures[index] ?? "")]));
  } catch {
    return null;
  }
}

/** Returns the parsed value. Throws a VALIDATION_ERROR that names each problem. */
function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const refusal = new HubError("VALIDATION_ERROR", describeIssues(parsed.error));
  refusal.explanation = { issues: inputIssues(parsed.error, value) };
  throw refusal;
}

function send(ctx: Context, route: HttpRoute, answer: unknown): void {
  if (route.stream === true) return;
  ctx.status = route.status ?? 200;
  if (route.file === true) {
    const { name, type, content } = answer as Download;
    ctx.set("Content-Disposition", `attachment; filename="${name.replace(/[^\w.-]+/g, "-")}"`);
    ctx.type = type;
    ctx.body = content;
    return;
  }
  const { body, status } = answer instanceof Reply ? answer : new Reply(answer);
  if (status !== undefined) ctx.status = status;
  if (typeof body === "string" || body instanceof Readable) ctx.type = "application/json";
  ctx.body = body;
}

async function readBodyOf(request: IncomingMessage, route: HttpRoute, limit: number): Promise<Record<string, unknown>> {
  return route.isBodyOptional === true && !hasBody(request) ? {} : readJsonObject(request, limit, route.opaque);
}

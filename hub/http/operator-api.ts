import { OPERATOR_PREFIX, operatorRoutes, type OperatorRoute, type OperatorRouteName } from "@comanda/protocol";
import type { Context, Middleware } from "koa";
import type { z } from "zod";
import type { Identities } from "../back-office/identities.ts";
import { describeIssues } from "../platform/describe-issues.ts";
import { HubError } from "../platform/errors.ts";
import { BODY_LIMIT, PUBLIC_BODY_LIMIT, readJsonObject } from "./body.ts";
import { isUnsure, readManager, readToken, type Manager } from "./manager.ts";

type Routes = typeof operatorRoutes;
/** The keys have their own address. */
type ServedElsewhere = "keys" | "createKey" | "updateKey" | "deleteKey";
export type ServedRoute = Exclude<OperatorRouteName, ServedElsewhere>;

/** The content of a download, with the name it is offered under. */
export interface Download {
  name: string;
  type: string;
  content: string | Buffer | NodeJS.ReadableStream;
}

type ParamsOf<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamsOf<Head> & ParamsOf<Tail>
  : Path extends `:${infer Name}`
    ? Record<Name, string>
    : unknown;
type Parsed<R, K extends "query" | "body"> = R extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined;
type Answer<R> = R extends { file: true }
  ? Download
  : R extends { stream: true }
    ? undefined
    : R extends { answer: infer S extends z.ZodType }
      ? z.input<S>
      : never;

/** One request whose caller, parameters, query and body have been checked against the route's line in the table. */
export interface Call<R extends OperatorRoute> {
  params: ParamsOf<R["path"]>;
  query: Parsed<R, "query">;
  body: Parsed<R, "body">;
  manager: R["who"] extends "manager" ? Manager : Manager | null;
  /** The token that came with the request, also one that nobody could confirm just now. */
  shownToken: string | null;
  ctx: Context;
}

/** What answers each route; the table in the protocol says what comes in and what must go out. */
export type OperatorHandlers = {
  [N in ServedRoute]: (call: Call<Routes[N]>) => Answer<Routes[N]> | Promise<Answer<Routes[N]>>;
};

interface Served {
  route: OperatorRoute;
  segments: string[];
  handle(call: unknown): unknown;
}

/** A manager's token is asked about no more often than this. */
const TRUST_MS = 10_000;

/** Serves `/operator/v1/*` by the protocol's route table. */
export function operatorApi(deps: {
  identities: Identities;
  handlers: OperatorHandlers;
  settled(): Promise<void>;
}): Middleware {
  const served = serve(deps.handlers);
  return async (ctx, next) => {
    if (ctx.path !== OPERATOR_PREFIX && !ctx.path.startsWith(`${OPERATOR_PREFIX}/`)) return next();
    ctx.set("Cache-Control", "no-store");
    const match = find(served, ctx.method, ctx.path);
    if (match === null) throw new HubError("NOT_FOUND", `there is no ${ctx.method} ${ctx.path}`);
    const { route } = match.served;
    const shownToken = readToken(ctx.req);
    const manager = await identify(ctx, route);
    const query = route.query === undefined ? undefined : parse(route.query, ctx.query);
    const limit = manager === null ? PUBLIC_BODY_LIMIT : BODY_LIMIT;
    const body = route.body === undefined ? undefined : parse(route.body, await readJsonObject(ctx.req, limit));
    await deps.settled();
    const answer = await match.served.handle({ params: match.params, query, body, manager, shownToken, ctx });
    if (route.stream === true) return;
    ctx.status = route.status ?? 200;
    if (route.file === true) attach(ctx, answer as Download);
    else ctx.body = answer;
  };

  async function identify(ctx: Context, route: OperatorRoute): Promise<Manager | null> {
    try {
      const manager = await readManager(deps.identities, ctx, TRUST_MS);
      if (manager !== null || route.who === "public") return manager;
    } catch (error) {
      // While nobody can be asked, what is public stays readable: the screens must not go dark with the line.
      if (isUnsure(error) && route.who === "public") return null;
      throw error;
    }
    throw new HubError("UNAUTHENTICATED", "sign in first: Authorization: Bearer <back-office session id>");
  }
}

function attach(ctx: Context, download: Download): void {
  ctx.set("Content-Disposition", `attachment; filename="${download.name.replace(/[^\w.-]+/g, "-")}"`);
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.type = download.type;
  ctx.body = download.content;
}

function serve(handlers: OperatorHandlers): Served[] {
  const named = handlers as unknown as Partial<Record<OperatorRouteName, (call: unknown) => unknown>>;
  return Object.entries(operatorRoutes).flatMap(([name, route]) => {
    const handle = named[name as OperatorRouteName];
    return handle === undefined ? [] : [{ route, segments: route.path.split("/"), handle }];
  });
}

function find(served: readonly Served[], method: string, path: string) {
  const given = path.split("/");
  const matches = served
    .filter((each) => each.route.method === method)
    .flatMap((each) => {
      const params = paramsOf(each.segments, given);
      return params === null ? [] : [{ served: each, params }];
    })
    // A fixed word wins over a parameter in its place.
    .sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  return matches[0] ?? null;
}

function paramsOf(segments: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (segments.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const text = given[index] ?? "";
    if (!segment.startsWith(":")) {
      if (segment !== text) return null;
      continue;
    }
    const value = decode(text);
    if (value === null || value === "") return null;
    params[segment.slice(1)] = value;
  }
  return params;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new HubError("VALIDATION_ERROR", describeIssues(parsed.error));
  return parsed.data;
}

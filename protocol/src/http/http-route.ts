import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Scope } from "../access/keys.ts";

/**
 * Who may call a route: anyone, a signed-in manager, any signed-in user (`terminal`), a device that shows its key in the
 * field `deviceKey` of query or body, or an API key with this scope.
 */
export type Access = "public" | "manager" | "terminal" | "device" | Scope;

/** A second successful answer of a route, with its own status. */
export interface OtherAnswer {
  status: 200 | 201 | 202;
  summary: string;
  answer: z.ZodType;
}

/**
 * One HTTP route. The hub serves it, clients call it and the OpenAPI documents describe it from this entry, which defines
 * access, body limit, validation, status and errors.
 */
export interface HttpRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` stands for one URL-encoded segment. */
  path: string;
  /** Without a token, a `public` route returns only counts and states; with a manager's token, everything. */
  access: Access;
  /**
   * For routes that grant access or overwrite data: requires a manager whom the back-office has confirmed within the last
   * CONFIRMED_WITHIN_MS. A function decides by the body.
   */
  needsConfirmation?: true | ((body: never) => boolean);
  /** One sentence for the documents: what the route does. */
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** A missing body counts as `{}`. */
  isBodyOptional?: true;
  /** A body field whose content is opaque to the hub: it may hold any text and number that its schema allows. */
  opaque?: string;
  /** The JSON of the answer; the content of the download for `file`; absent for `stream`. */
  answer?: z.ZodType;
  /** A short description of the answer for the documents; `summary` if absent. */
  answerSummary?: string;
  /** Status of the answer; 200 when absent. */
  status?: 201 | 202;
  otherAnswer?: OtherAnswer;
  /** Errors that do not follow from access, path, query and body (see `routeErrors`). */
  errors?: readonly ErrorCode[];
  /** Answered with `Content-Disposition: attachment`. */
  file?: true;
  /** Answered with server-sent events. */
  stream?: true;
}

/** How long a confirmation by the back-office is valid for routes that grant access or overwrite data. */
export const CONFIRMED_WITHIN_MS = 60_000;

/** Returns whether a request with this body requires a manager whom the back-office has just confirmed. */
export function needsConfirmation({ needsConfirmation: needs }: HttpRoute, body?: unknown): boolean {
  return typeof needs === "function" ? needs(body as never) : needs === true;
}

/** Defines an entry of a route table. Its type keeps the literal method, path, access (or roles) and schemas. */
export function route<
  const Method extends HttpRoute["method"],
  const Path extends string,
  const Allowed extends Access | readonly string[],
  const Details extends Omit<HttpRoute, "method" | "path" | "access">,
>(method: Method, path: Path, access: Allowed, details: Details) {
  return { method, path, access, ...details };
}

/** The successful answer of a route as its schemas parse it; unknown for a route without a schema. */
export type RouteAnswer<R> =
  | (R extends { answer: infer S extends z.ZodType } ? z.output<S> : unknown)
  | (R extends { otherAnswer: { answer: infer S extends z.ZodType } } ? z.output<S> : never);

/** The hub's rate limits: per address, per API key, and per address for the key administration and the terminals' API. */
export type RateLimit = "peer" | "key" | "keyAdministration" | "terminal";

/** The answer of every route that deletes something. */
export const Deleted = z.object({ deleted: z.literal(true) });

/** Routes below one prefix, with the rules for every request there, even to an unknown path. */
export interface HttpApi {
  prefix: string;
  /** Counted before any other check; `key` is counted as soon as the key is known. */
  budgets: readonly RateLimit[];
  /**
   * What every request must present before its route is looked up; without it, every path answers 401. If absent, an unknown
   * path answers 404 to anyone, and each route checks its own `access`.
   */
  credential?: "key" | "manager";
  routes: Readonly<Record<string, HttpRoute>>;
}

/** Returns every error that a route may answer with, except those of the connection. */
export function routeErrors(route: HttpRoute): ErrorCode[] {
  const hasParameters = route.path.includes(":");
  const codes: (ErrorCode | false)[] = [
    (hasParameters || route.query !== undefined || route.body !== undefined) && "VALIDATION_ERROR",
    hasParameters && "NOT_FOUND",
    ...(route.errors ?? []),
    // The size of a body is checked even if the route needs none.
    "PAYLOAD_TOO_LARGE",
    route.method !== "GET" && "STORAGE_FULL",
    // Only the back-office knows the owner of a session that this hub has never seen.
    (route.access === "manager" || route.access === "terminal") && "UPSTREAM_UNAVAILABLE",
    route.needsConfirmation !== undefined && "CONFIRMATION_NEEDED",
    "UNAUTHENTICATED",
    // A public route rejects a page from a foreign origin, and a session that is not valid for its API.
    "FORBIDDEN",
    "RATE_LIMITED",
    "INTERNAL_ERROR",
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Scope } from "../access/keys.ts";

/**
 * Who may call a route: anyone, a signed-in manager, any signed-in user (`terminal`), a device that shows its key in the
 * field `deviceKey` of query or body, or an API key with this scope.
 */
export type Access = "public" | "manager" | "terminal" | "device" | Scope;

/** A second good answer of a route, with a status of its own. */
export interface OtherAnswer {
  status: 200 | 201 | 202;
  summary: string;
  answer: z.ZodType;
}

/**
 * One HTTP route. The hub serves it, clients call it and the OpenAPI documents describe it from this entry: access, body
 * limit, validation, status and errors all follow from it.
 */
export interface HttpRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` stands for one URL-encoded segment. */
  path: string;
  /** `public` answers counts and states without a token, and everything with a manager's token. */
  access: Access;
  /**
   * Gives access away or overwrites: only for a manager whom the back-office has confirmed within the last
   * CONFIRMED_WITHIN_MS. A function decides by the body.
   */
  needsConfirmation?: true | ((body: never) => boolean);
  /** What it does, in one sentence for the documents. */
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** A request without a body is one with `{}`. */
  isBodyOptional?: true;
  /** A field of the body that means nothing to the hub: any text and number in it is taken, within what its schema says. */
  opaque?: string;
  /** The JSON of the answer; the content of the download for `file`; absent for `stream`. */
  answer?: z.ZodType;
  /** What the answer is, in a few words for the documents; `summary` when absent. */
  answerSummary?: string;
  /** Status of the answer; 200 when absent. */
  status?: 201 | 202;
  otherAnswer?: OtherAnswer;
  /** Errors that do not follow from access, path, query and body: see `routeErrors`. */
  errors?: readonly ErrorCode[];
  /** Answered with `Content-Disposition: attachment`. */
  file?: true;
  /** Answered with server-sent events. */
  stream?: true;
}

/** How long a confirmation by the back-office counts for what gives access away or overwrites. */
export const CONFIRMED_WITHIN_MS = 60_000;

/** Whether a request to a route, with this body, needs a manager whom the back-office has just confirmed. */
export function needsConfirmation({ needsConfirmation: needs }: HttpRoute, body?: unknown): boolean {
  return typeof needs === "function" ? needs(body as never) : needs === true;
}

/** An entry of a table of routes; its type keeps method, path, access (or roles) and schemas as they are written. */
export function route<
  const Method extends HttpRoute["method"],
  const Path extends string,
  const Allowed extends Access | readonly string[],
  const Details extends Omit<HttpRoute, "method" | "path" | "access">,
>(method: Method, path: Path, access: Allowed, details: Details) {
  return { method, path, access, ...details };
}

/** What a good answer of a route is, as its schemas read it; unknown for a route without a schema. */
export type RouteAnswer<R> =
  | (R extends { answer: infer S extends z.ZodType } ? z.output<S> : unknown)
  | (R extends { otherAnswer: { answer: infer S extends z.ZodType } } ? z.output<S> : never);

/**
 * The rate limits of the hub: requests of one address, of one API key, and of one address to the key administration and to
 * the terminals' API.
 */
export type RateLimit = "peer" | "key" | "keyAdministration" | "terminal";

/** The answer of every route that deletes something. */
export const Deleted = z.object({ deleted: z.literal(true) });

/** Routes below one prefix, with what holds for every request there, known address or not. */
export interface HttpApi {
  prefix: string;
  /** Counted before anything else; `key` is counted as soon as the key is known. */
  budgets: readonly RateLimit[];
  /**
   * What every request must present before its route is looked up, so that strangers get 401 for every address. Absent:
   * an unknown address is 404 to anyone, and each route decides by its `access`.
   */
  credential?: "key" | "manager";
  routes: Readonly<Record<string, HttpRoute>>;
}

/** Every error that a route may answer with, beside those that have to do with the connection. */
export function routeErrors(route: HttpRoute): ErrorCode[] {
  const hasParameters = route.path.includes(":");
  const codes: (ErrorCode | false)[] = [
    (hasParameters || route.query !== undefined || route.body !== undefined) && "VALIDATION_ERROR",
    hasParameters && "NOT_FOUND",
    ...(route.errors ?? []),
    // A body is measured where none is needed, too.
    "PAYLOAD_TOO_LARGE",
    route.method !== "GET" && "STORAGE_FULL",
    // Nobody knows whose a session is that this hub has never seen.
    (route.access === "manager" || route.access === "terminal") && "UPSTREAM_UNAVAILABLE",
    route.needsConfirmation !== undefined && "CONFIRMATION_NEEDED",
    "UNAUTHENTICATED",
    // A public route refuses a page of a foreign origin, or a session that is not good for its API.
    "FORBIDDEN",
    "RATE_LIMITED",
    "INTERNAL_ERROR",
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

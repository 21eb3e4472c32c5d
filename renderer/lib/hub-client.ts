import { inputIssues, operatorRoutes, type HttpRoute, type OperatorRouteName } from "@comanda/protocol";
import type { z } from "zod";
import { HubFailure, readFailure } from "./hub-failure.ts";
import { saveFile } from "@comanda/ui/save-file.ts";
import { followHubTime } from "./hub-time.ts";
import { currentToken, expireSession } from "./session.ts";

type Routes = typeof operatorRoutes;
type Slot<N extends OperatorRouteName, K extends string> =
  Routes[N] extends Record<K, infer S extends z.ZodType> ? S : never;
type Segment<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | Segment<Tail>
    : Rest
  : never;

/** The answer of a route, as parsed by its schema. */
export type HubAnswer<N extends OperatorRouteName> = [Slot<N, "answer">] extends [never]
  ? undefined
  : z.output<Slot<N, "answer">>;

/** The input of a route: its path segments, its query and its body, as far as the route has them. */
export type HubInput<N extends OperatorRouteName> = ([Segment<Routes[N]["path"]>] extends [never]
  ? { params?: never }
  : { params: Record<Segment<Routes[N]["path"]>, string | number> }) &
  ([Slot<N, "query">] extends [never] ? { query?: never } : { query?: z.input<Slot<N, "query">> }) &
  ([Slot<N, "body">] extends [never] ? { body?: never } : { body: z.input<Slot<N, "body">> });

/** The input of a call as arguments, optional if nothing in it is required. */
export type HubArguments<N extends OperatorRouteName> =
  Record<never, never> extends HubInput<N> ? [input?: HubInput<N>] : [input: HubInput<N>];

/** Sends one request and checks the answer. Throws a HubFailure; an expired token also ends the session of this window. */
export async function requestHub<N extends OperatorRouteName>(
  name: N,
  input?: HubInput<N>,
  signal?: AbortSignal,
): Promise<HubAnswer<N>> {
  const route: HttpRoute = operatorRoutes[name];
  const response = await request(route, input ?? {}, signal);
  const answer: unknown = await response.json().catch(() => null);
  const parsed = route.answer?.safeParse(answer);
  if (parsed?.success === false) {
    // A newer hub has executed the call, but its answer contains more than this page knows.
    const isDone = route.method !== "GET" && answer !== null;
    const code = isDone ? "HUB-UNREAD_ANSWER" : "HUB-UNEXPECTED_ANSWER";
    throw new HubFailure(code, `${route.path}: ${parsed.error.message}`);
  }
  return parsed?.data as HubAnswer<N>;
}

/** Downloads the answer of a `file` route, under the name that the hub gives it. */
export async function downloadFromHub<N extends OperatorRouteName>(
  name: N,
  ...[input]: HubArguments<N>
): Promise<void> {
  const response = await request(operatorRoutes[name], input ?? {});
  const fileName = /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? name;
  saveFile(await response.blob(), decodeURIComponent(fileName));
}

/** The input of any call, after its types were checked. */
interface AnyInput {
  params?: Record<string, string | number> | undefined;
  query?: unknown;
  body?: unknown;
}

async function request(route: HttpRoute, input: AnyInput, signal?: AbortSignal): Promise<Response> {
  requireValid(route, input.body);
  const token = currentToken();
  const headers = new Headers({ Accept: "application/json" });
  if (token !== null) headers.set("Authorization", `Bearer ${token}`);
  if (input.body !== undefined) headers.set("Content-Type", "application/json");
  let response: Response;
  try {
    response = await fetch(addressOf(route.path, input), {
      method: route.method,
      headers,
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: signal ?? null,
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new HubFailure("HUB-NO_CONNECTION", error instanceof Error ? error.message : String(error));
  }
  followHubTime(response);
  if (response.ok) return response;
  if (response.status === 401 && token !== null) expireSession(token);
  throw await readFailure(response);
}

/** Rejects what the hub would reject, so that a form shows the issues of its fields at once. Throws a HubFailure. */
function requireValid(route: HttpRoute, body: unknown): void {
  if (body === undefined) return;
  const parsed = route.body?.safeParse(body);
  if (parsed?.success !== false) return;
  throw new HubFailure("HUB-VALIDATION_ERROR", parsed.error.message, { issues: inputIssues(parsed.error, body) });
}

/** Returns the address of a call, with encoded path segments and without absent query fields. */
export function addressOf(path: string, input: AnyInput): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? "")),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") search.set(key, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

import type { z } from "zod";
import type { HqRoute, HqRoutes } from "@comanda/protocol/headquarters-routes.ts";

/** A refusal by headquarters, or no answer at all (`OFFLINE`). */
export class HqFailure extends Error {
  override readonly name = "HqFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type RouteName = keyof HqRoutes;
type Schema<N extends RouteName, K extends string> =
  HqRoutes[N] extends Readonly<Record<K, infer S extends z.ZodType>> ? S : never;
type Slot<K extends string, S extends z.ZodType> = [S] extends [never]
  ? Partial<Record<K, never>>
  : Record<K, z.input<S>>;

export type AnswerOf<N extends RouteName> = z.output<Schema<N, "answer">>;
export type QueryOf<N extends RouteName> = z.input<Schema<N, "query">>;

/** The arguments of a route: id, query and body, each only if the route has it. */
type Input<N extends RouteName> = (HqRoutes[N]["path"] extends `${string}:id${string}`
  ? { id: string }
  : { id?: never }) &
  Slot<"query", Schema<N, "query">> &
  Slot<"body", Schema<N, "body">>;
export type ArgumentsOf<N extends RouteName> =
  Record<never, never> extends Input<N> ? [input?: Input<N>] : [input: Input<N>];

/** Method and path of each route, inserted by the build (vite.config.ts) without the schemas, which the page does not need. */
declare const HQ_ROUTES: Readonly<Record<RouteName, Pick<HqRoute, "method" | "path">>>;

const WAIT_MS = 20_000;

/** Returns a query as text, without empty values. */
export function searchOf(query: object): string {
  return new URLSearchParams(Object.entries(query).filter(([, value]) => Boolean(value))).toString();
}

/** Calls headquarters. Throws an HqFailure. */
export async function callHq<N extends RouteName>(name: N, ...[input]: ArgumentsOf<N>): Promise<AnswerOf<N>> {
  const { method, path } = HQ_ROUTES[name];
  const { id = "", query = {}, body } = (input ?? {}) as { id?: string; query?: object; body?: object };
  const search = searchOf(query);
  let response: Response;
  try {
    response = await fetch(`.${path.replace(":id", encodeURIComponent(id))}?${search}`.replace(/\?$/, ""), {
      method,
      signal: AbortSignal.timeout(WAIT_MS),
      ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new HqFailure("OFFLINE", "headquarters do not answer");
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as AnswerOf<N>;
  const { errorCode = "OFFLINE", error = "" } = (answer ?? {}) as { errorCode?: string; error?: string };
  throw new HqFailure(errorCode, error);
}

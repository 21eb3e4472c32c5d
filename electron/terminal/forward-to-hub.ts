import { type HttpRoute, terminalApi } from "@comanda/protocol";

/** Headers passed between the page and the hub. All others concern only this PC and one of the two. */
const requestHeaders = ["accept", "authorization", "cache-control", "content-type", "if-none-match"];
const answerHeaders = ["content-type", "etag", "retry-after"];

const routes: readonly HttpRoute[] = Object.values(terminalApi.routes);
const prefix = `${terminalApi.prefix}/`;

export interface ForwardDeps {
  /** The hub's HTTP address, or undefined before one was chosen. */
  hubUrl: () => string | undefined;
  fetch: (address: string, options: RequestInit) => Promise<Response>;
}

/** Whether a request of the terminal's page is for the hub. */
export function isForHub(address: string): boolean {
  return new URL(address).pathname.startsWith(prefix);
}

/**
 * Forwards the routes that the hub serves to terminals, and no other path. The page calls its own origin, so the hub needs no
 * CORS. Answers 502 without a body while the hub cannot be reached.
 */
export function createForwarder({ hubUrl, fetch }: ForwardDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const isRoute = routes.some(({ method, path }) => method === request.method && matches(path, pathname));
    if (!isRoute) return withoutContent(404);
    const hub = hubUrl();
    if (hub === undefined) return withoutContent(502);
    try {
      const answer = await fetch(new URL(pathname + search, hub).href, {
        method: request.method,
        headers: pick(request.headers, requestHeaders),
        body: request.body === null ? null : await request.arrayBuffer(),
        // The hub's answer is for this page only: no redirects, no cookies, no cached copy.
        redirect: "error",
        credentials: "omit",
        cache: "no-store",
        signal: request.signal,
      });
      return new Response(answer.body, { status: answer.status, headers: pick(answer.headers, answerHeaders) });
    } catch {
      return withoutContent(502);
    }
  };
}

/** Whether a path matches a route, in which `:name` stands for one segment. */
function matches(route: string, pathname: string): boolean {
  const routeParts = route.split("/");
  const pathParts = pathname.split("/");
  return (
    routeParts.length === pathParts.length &&
    routeParts.every((part, at) => (part.startsWith(":") ? pathParts[at] !== "" : part === pathParts[at]))
  );
}

function pick(from: Headers, names: readonly string[]): Headers {
  const headers = new Headers({ "cache-control": "no-store" });
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

function withoutContent(status: number): Response {
  return new Response(null, { status, headers: { "cache-control": "no-store" } });
}

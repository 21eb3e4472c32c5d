import { HubRefusal, HubUnreachable, type RefusalBody } from "./errors.ts";
import { defaultRetry, withRetry, type RetryOptions } from "./retry.ts";
import { routes } from "./routes.ts";
import type { Answer, RouteName } from "./types.ts";

export interface TransportOptions {
  /** Address of the hub, such as `http://192.168.1.10:8766`. */
  url: string;
  /** Timeout of one response; 15 s by default. */
  timeoutMs?: number;
  retry?: Partial<RetryOptions>;
}

export interface Request {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The call is idempotent and retried after a lost response; by default all but POST. */
  isRepeatable?: boolean;
}

/** Creates a function that calls the hub. It throws HubRefusal or HubUnreachable. */
export function createTransport(options: TransportOptions, headers: Readonly<Record<string, string>>) {
  const base = options.url.replace(/\/+$/, "");
  const timeoutMs = options.timeoutMs ?? 15_000;
  const retry = { ...defaultRetry, ...options.retry };

  async function once(method: string, address: string, body: unknown): Promise<unknown> {
    const response = await reach(address, {
      method,
      headers: {
        ...headers,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await readJson(response);
    if (response.ok) return answer;
    if (isRefusal(answer)) throw new HubRefusal(response.status, answer);
    throw new HubUnreachable(`the hub's address answered ${response.status} without an error code`);
  }

  return async <N extends RouteName>(
    route: N,
    { params = {}, query = {}, body, isRepeatable }: Request = {},
  ): Promise<Answer<N>> => {
    const [method, template] = routes[route];
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
    const search = new URLSearchParams(query).toString();
    const address = `${base}${path}${search === "" ? "" : `?${search}`}`;
    const answer = await withRetry(retry, isRepeatable ?? method !== "POST", () => once(method, address, body));
    return answer as Answer<N>;
  };
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    throw new HubUnreachable(reasonOf(error), { cause: error });
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new HubUnreachable(`the answer with status ${response.status} is no JSON`, { cause: error });
  }
}

function isRefusal(answer: unknown): answer is RefusalBody {
  return typeof answer === "object" && answer !== null && "errorCode" in answer && "error" in answer;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "the hub did not answer in time";
  const cause = error.cause instanceof Error && "code" in error.cause ? ` (${String(error.cause.code)})` : "";
  return `the hub cannot be reached${cause}`;
}

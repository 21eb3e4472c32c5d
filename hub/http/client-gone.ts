import type { ServerResponse } from "node:http";

/** Returns a signal that aborts when the client hangs up before it has its answer, so that its work can stop. */
export function clientGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once("close", () => gone.abort());
  return gone.signal;
}

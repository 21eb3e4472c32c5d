import type { ServerResponse } from "node:http";

/** Aborted when the client hangs up before it has its answer, so that work for it can stop. */
export function clientGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  else response.once("close", () => gone.abort());
  return gone.signal;
}

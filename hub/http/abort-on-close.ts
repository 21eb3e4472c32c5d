import type { ServerResponse } from "node:http";

/** Returns a signal that aborts when the client hangs up before it has its answer, so that its work can stop. */
export function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed) controller.abort();
  else response.once("close", () => controller.abort());
  return controller.signal;
}

import { posCalls } from "./pos-calls.ts";
import { sessionCalls } from "./session-calls.ts";
import { createTransport } from "./transport.ts";
import { userCalls } from "./user-calls.ts";

export type BackOfficeClient = ReturnType<typeof createBackOfficeClient>;

/**
 * Creates the client for all calls to the back-office. A failed call throws a BackOfficeError; any other error is a fault
 * of the hub itself.
 */
export function createBackOfficeClient(
  options: Parameters<typeof createTransport>[0] & {
    /** The name of the back-office's database. */
    db: string;
  },
) {
  const { post, stop } = createTransport(options);
  return { ...sessionCalls({ ...options, post }), ...posCalls(post), ...userCalls(post), stop };
}

import { posCalls } from "./pos-calls.ts";
import { sessionCalls } from "./session-calls.ts";
import { createTransport } from "./transport.ts";
import { userCalls } from "./user-calls.ts";

export type BackOfficeClient = ReturnType<typeof createBackOfficeClient>;

/**
 * Everything that the hub asks of the back-office. Each call throws a BackOfficeError when it fails, and an error of
 * another class when the hub itself is at fault.
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

import { createFaults } from "./faults.ts";
import { createHeldRequests } from "./held-requests.ts";
import { createQuirkSwitches } from "./quirks.ts";
import { createRequestLog } from "./request-log.ts";

export type Control = ReturnType<typeof createControl>;

/** State that tests set and read. It is lost on a restart. */
export function createControl() {
  return {
    faults: createFaults(),
    held: createHeldRequests(),
    quirks: createQuirkSwitches(),
    requests: createRequestLog(),
  };
}

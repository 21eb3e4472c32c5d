import { createFaults } from "./faults.ts";
import { createHeldRequests } from "./held-requests.ts";
import { createQuirkSwitches } from "./quirks.ts";
import { createRequestLog } from "./request-log.ts";

export type Control = ReturnType<typeof createControl>;

/** What tests set and read; none of it outlives the process. */
export function createControl() {
  return {
    faults: createFaults(),
    held: createHeldRequests(),
    quirks: createQuirkSwitches(),
    requests: createRequestLog(),
  };
}

import type { PosConfig, PosSession } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";

/**
 * Why no order can be opened now, or null. `session` is the POS session as far as it is known. Orders that are open go on
 * either way.
 */
export function whyNoNewOrders(config: PosConfig | null, session: PosSession | null): HubError | null {
  if (config?.hubMode === false) {
    return new HubError(
      "NO_ACTIVE_SESSION",
      "hub mode is off in the back-office: this hub takes no new orders until it is switched on there",
    );
  }
  return session?.active === false ? new HubError("NO_ACTIVE_SESSION", "the point-of-sale session is closed") : null;
}

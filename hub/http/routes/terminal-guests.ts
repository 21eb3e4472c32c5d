import { PluginKey, RESERVATIONS_PLUGIN } from "@comanda/protocol";
import type { PluginService } from "../../plugins/plugin-service.ts";
import { putWaitingParty } from "../../plugins/put-waiting-party.ts";
import { setBookingStatus } from "../../plugins/set-booking-status.ts";
import { describeIssues } from "../../platform/describe-issues.ts";
import { HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import type { HubConfig } from "../../settings/config.ts";
import type { TerminalHandlers } from "../handlers.ts";

interface Deps {
  world: World;
  config: Pick<HubConfig, "enabledPlugins">;
  pluginService: PluginService;
}

/** What hosts say about bookings, and about guests who wait for a table. */
export function terminalGuestRoutes({ world, config, pluginService }: Deps) {
  return {
    async setBookingStatus({ user, params: { key }, body }) {
      if (!config.enabledPlugins.includes(RESERVATIONS_PLUGIN)) {
        throw new HubError("NOT_FOUND", "the reservations plugin is not enabled; see HUB_ENABLED_PLUGINS");
      }
      const record = await setBookingStatus(pluginService, key, body);
      world.log.info({ user: user.userName, booking: key, status: body.status }, "a terminal settled a booking");
      return record;
    },

    async putWaitingParty({ params, body }) {
      const key = PluginKey.safeParse(params.key);
      if (!key.success) throw new HubError("VALIDATION_ERROR", `key: ${describeIssues(key.error)}`);
      return putWaitingParty({ world, plugins: pluginService }, key.data, body);
    },
  } satisfies Partial<TerminalHandlers>;
}

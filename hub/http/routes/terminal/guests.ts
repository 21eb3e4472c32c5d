import { PluginKey } from "@comanda/protocol";
import type { PluginService } from "../../../plugins/plugin-service.ts";
import { putBooking } from "../../../plugins/put-booking.ts";
import { putWaitingParty } from "../../../plugins/put-waiting-party.ts";
import { setBookingStatus } from "../../../plugins/set-booking-status.ts";
import { describeIssues } from "../../../platform/describe-issues.ts";
import { HubError } from "../../../platform/errors.ts";
import type { World } from "../../../platform/world.ts";
import type { TerminalHandlers } from "../../handlers.ts";

interface Deps {
  world: World;
  pluginService: PluginService;
}

/** Routes for bookings and for guests who wait for a table. */
export function terminalGuestRoutes({ world, pluginService }: Deps) {
  return {
    async setBookingStatus({ user, params: { key }, body }) {
      const record = await setBookingStatus(pluginService, key, body);
      world.log.info({ user: user.userName, booking: key, status: body.status }, "a terminal settled a booking");
      return record;
    },

    async putBooking({ user, params, body }) {
      const key = readKey(params.key);
      const record = await putBooking({ world, plugins: pluginService }, key, body, user.userName);
      world.log.info({ user: user.userName, booking: key, version: record.version }, "a terminal wrote down a booking");
      return record;
    },

    async putWaitingParty({ params, body }) {
      return putWaitingParty({ world, plugins: pluginService }, readKey(params.key), body);
    },
  } satisfies Partial<TerminalHandlers>;
}

function readKey(text: string): string {
  const key = PluginKey.safeParse(text);
  if (!key.success) throw new HubError("VALIDATION_ERROR", `key: ${describeIssues(key.error)}`);
  return key.data;
}

import { RESERVATIONS_PLUGIN } from "@comanda/protocol";
import { HubError } from "../../platform/errors.ts";
import type { OperatorRoom } from "../../operator/operator-room.ts";
import { readReservationDay } from "../../operator/reservation-day.ts";
import type { OperatorHandlers } from "./operator-routes.ts";

type Names = "plugins" | "deletePluginRecord" | "reservations";

export function operatorPluginRoutes(room: OperatorRoom): Pick<OperatorHandlers, Names> {
  const { world, changes, audit, config, plan, plugins } = room;

  return {
    plugins: () => ({ enabled: config.enabledPlugins, records: plugins.live() }),

    async deletePluginRecord({ params: { pluginId, key }, manager }) {
      await changes.write((tx) => {
        if (plugins.get(pluginId, key) === null) {
          throw new HubError("NOT_FOUND", `plugin ${pluginId} has no record ${key}`);
        }
        tx.emit(plugins.remove(tx, pluginId, key));
        audit.record(tx, manager.userName, "plugin.delete", `${pluginId}/${key}`);
      });
      return { deleted: true };
    },

    reservations: ({ query }) =>
      readReservationDay(plugins.live(), {
        enabled: config.enabledPlugins.includes(RESERVATIONS_PLUGIN),
        date: query.date,
        now: world.clock.now(),
        hasTable: plan.has,
      }),
  };
}

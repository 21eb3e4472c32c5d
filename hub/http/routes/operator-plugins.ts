import { RESERVATIONS_PLUGIN } from "@comanda/protocol";
import { readReservationDay } from "../../operator/reservation-day.ts";
import { HubError } from "../../platform/errors.ts";
import type { OperatorHandlers } from "../handlers.ts";
import type { OperatorRouteDeps } from "./operator-route-deps.ts";

type Deps = Pick<OperatorRouteDeps, "world" | "config" | "changes" | "audit" | "liveFloorPlan" | "plugins">;

export function operatorPluginRoutes(deps: Deps) {
  const { world, changes, audit, liveFloorPlan, plugins } = deps;
  const { enabledPlugins } = deps.config;

  return {
    plugins: () => ({ enabled: [...enabledPlugins], records: plugins.live() }),

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
        enabled: enabledPlugins.includes(RESERVATIONS_PLUGIN),
        date: query.date,
        now: world.clock.now(),
        hasTable: liveFloorPlan.has,
      }),
  } satisfies Partial<OperatorHandlers>;
}

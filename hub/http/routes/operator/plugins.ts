import { RESERVATIONS_PLUGIN } from "@comanda/protocol";
import type { LiveFloorPlanState } from "../../../operator/service/live-floor-plan.ts";
import type { HubConfig } from "../../../settings/config.ts";
import { readReservationDay } from "../../../operator/service/reservation-day.ts";
import { HubError } from "../../../platform/errors.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { OperatorHandlers } from "../../handlers.ts";
import type { World } from "../../../platform/world.ts";

interface Deps extends Pick<Stores, "changes" | "audit" | "plugins"> {
  world: World;
  config: HubConfig;
  liveFloorPlan: LiveFloorPlanState;
}

export function operatorPluginRoutes(deps: Deps) {
  const { world, changes, audit, liveFloorPlan, plugins } = deps;
  const { enabledPlugins } = deps.config;

  return {
    plugins: () => ({ enabled: [...enabledPlugins], records: plugins.list() }),

    async deletePluginRecord({ params: { pluginId, key }, manager }) {
      await changes.write((tx) => {
        if (!plugins.has(pluginId, key)) {
          throw new HubError("NOT_FOUND", `plugin ${pluginId} has no record ${key}`);
        }
        tx.emit(plugins.remove(tx, pluginId, key));
        audit.record(tx, manager.userName, "plugin.delete", `${pluginId}/${key}`);
      });
      return { deleted: true };
    },

    reservations: ({ query }) =>
      readReservationDay(plugins.list(), {
        enabled: enabledPlugins.includes(RESERVATIONS_PLUGIN),
        date: query.date,
        now: world.clock.now(),
        timeZone: deps.config.timeZone,
        hasTable: liveFloorPlan.has,
      }),
  } satisfies Partial<OperatorHandlers>;
}

import { RESERVATIONS_PLUGIN } from "@comanda/protocol";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { AuditLog } from "../../operator/audit-log.ts";
import type { LiveFloorPlanState } from "../../operator/live-floor-plan.ts";
import type { World } from "../../platform/world.ts";
import type { PluginStore } from "../../plugins/plugin-store.ts";
import { HubError } from "../../platform/errors.ts";
import { readReservationDay } from "../../operator/reservation-day.ts";
import type { OperatorHandlers } from "../handlers.ts";

interface PluginRoutesDeps {
  world: World;
  changes: ChangeLog;
  audit: AuditLog;
  enabledPlugins: readonly string[];
  liveFloorPlan: LiveFloorPlanState;
  plugins: PluginStore;
}

export function operatorPluginRoutes(deps: PluginRoutesDeps) {
  const { world, changes, audit, enabledPlugins, liveFloorPlan, plugins } = deps;

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

import { externalApi } from "@comanda/protocol";
import { HubError } from "../../../platform/errors.ts";
import type { PluginService } from "../../../plugins/plugin-service.ts";
import type { ExternalHandlers } from "../../handlers.ts";

/** Routes for records of enabled plugins. */
export function externalPluginRoutes(plugins: PluginService) {
  return {
    listPluginEvents: async ({ params: { pluginId } }) => ({ events: await plugins.list(pluginId) }),
    async readPluginEvent({ params: { pluginId, key } }) {
      const record = await plugins.get(pluginId, key);
      if (record === null) throw recordNotFound(key);
      return record;
    },
    postPluginEvent: ({ params: { pluginId }, body }) => plugins.post(pluginId, body),
    async deletePluginEvent({ params: { pluginId, key } }) {
      if (!(await plugins.remove(pluginId, key))) throw recordNotFound(key);
      return { deleted: true };
    },
  } satisfies Partial<ExternalHandlers>;
}

/** Refuses all paths of a plugin that is not enabled. */
export function pluginGate(enabledPlugins: readonly string[]): (path: string) => void {
  const enabled = new Set(enabledPlugins);
  return (path) => {
    const [, area, pluginId = ""] = path.slice(externalApi.prefix.length).split("/");
    if (area !== "plugins" || enabled.has(pluginId)) return;
    throw new HubError("NOT_FOUND", "this plugin is not enabled; see HUB_ENABLED_PLUGINS");
  };
}

function recordNotFound(key: string): HubError {
  return new HubError("NOT_FOUND", `there is no live record ${key}`);
}

import { PostPluginEvent } from "@comanda/protocol";
import { HubError } from "../../platform/errors.ts";
import type { PluginService } from "../../plugins/plugin-service.ts";
import { endpoint, ok, type Endpoint } from "../external/endpoint.ts";

/** Records of enabled plugins; whether a plugin is enabled was asked before the key. */
export function pluginEndpoints(plugins: PluginService): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/plugins/:pluginId/events",
      scope: "read",
      handle: async ({ params: { pluginId = "" } }) => ok({ events: await plugins.list(pluginId) }),
    }),
    endpoint({
      method: "GET",
      path: "/plugins/:pluginId/events/:key",
      scope: "read",
      async handle({ params: { pluginId = "", key = "" } }) {
        const record = await plugins.get(pluginId, key);
        if (record === null) throw noSuchRecord(key);
        return ok(record);
      },
    }),
    endpoint({
      method: "POST",
      path: "/plugins/:pluginId/events",
      scope: "plugins:write",
      body: PostPluginEvent,
      handle: async ({ params: { pluginId = "" }, body }) => ({
        status: 202,
        body: await plugins.post(pluginId, body),
      }),
    }),
    endpoint({
      method: "DELETE",
      path: "/plugins/:pluginId/events/:key",
      scope: "plugins:write",
      async handle({ params: { pluginId = "", key = "" } }) {
        if (!(await plugins.remove(pluginId, key))) throw noSuchRecord(key);
        return ok({ deleted: true });
      },
    }),
  ];
}

function noSuchRecord(key: string): HubError {
  return new HubError("NOT_FOUND", `there is no live record ${key}`);
}

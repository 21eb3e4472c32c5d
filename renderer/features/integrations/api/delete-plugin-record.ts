import { callHub } from "../../../lib/hub-client.ts";

export function deletePluginRecord(pluginId: string, key: string) {
  return callHub("deletePluginRecord", { params: { pluginId, key } });
}

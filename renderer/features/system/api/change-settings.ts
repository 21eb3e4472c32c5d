import { desktopBridge } from "../../../lib/desktop.ts";
import { callHub } from "../../../lib/hub-client.ts";
import { HubFailure } from "../../../lib/hub-failure.ts";

/**
 * Saves settings, all or none; null goes back to the default. Those that are changed on the hub's own computer only go
 * by way of the desktop app around this page.
 */
export async function changeSettings(values: Record<string, string | null>, localOnly: boolean) {
  if (!localOnly) return callHub("changeSettings", { body: { values } });
  const result = await desktopBridge()?.changeHubSettings(values);
  if (result?.ok === false) throw new HubFailure("HUB-VALIDATION_ERROR", result.error);
  return callHub("settings", {});
}

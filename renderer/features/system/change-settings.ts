import { desktopBridge } from "../../lib/desktop.ts";
import { HubFailure } from "../../lib/hub-failure.ts";
import { callHub, readAgain } from "../../lib/hub.ts";

/**
 * Saves settings, all or none. Null restores the default. Settings that only the hub's own computer may change go through the
 * desktop app (`localOnly`). Throws a HubFailure.
 */
export async function changeSettings(values: Record<string, string | null>, localOnly: boolean): Promise<void> {
  if (!localOnly) {
    await callHub("changeSettings", { body: { values } });
    return;
  }
  const result = await desktopBridge()?.changeHubSettings(values);
  if (result?.ok === false) {
    throw new HubFailure("HUB-VALIDATION_ERROR", result.error, result.said ?? {});
  }
  readAgain();
}

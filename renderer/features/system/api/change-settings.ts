import { callHub } from "../../../lib/hub-client.ts";

/** Saves settings, all or none; null goes back to the default. */
export function changeSettings(values: Record<string, string | null>) {
  return callHub("changeSettings", { body: { values } });
}

import type { Snapshot } from "@comanda/protocol";
import { timeOf } from "../time.ts";

/** The `pluginData` namespace of contact data. Terminals and integrations may write it; it never goes to the back-office. */
export const CONTACT = "contact";

/** Returns when a check is to be ready or delivered (ISO 8601). Undefined if invalid: integrations may write anything. */
export function promisedAtOf({ pluginData }: Pick<Snapshot, "pluginData">): string | undefined {
  const at = pluginData?.[CONTACT]?.["promisedAt"];
  return typeof at === "string" && timeOf(at) > 0 ? at : undefined;
}

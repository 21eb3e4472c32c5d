import type { Snapshot } from "@comanda/protocol";
import { timeOf } from "../time.ts";

/** The namespace of `pluginData` that has it: terminals and integrations may write it, and it never goes to the back-office. */
export const CONTACT = "contact";

/** When a check is to be ready, or there: ISO 8601. What is no time, as an integration may write anything, is left out. */
export function promisedAtOf({ pluginData }: Pick<Snapshot, "pluginData">): string | undefined {
  const at = pluginData?.[CONTACT]?.["promisedAt"];
  return typeof at === "string" && timeOf(at) > 0 ? at : undefined;
}

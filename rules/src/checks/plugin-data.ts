import type { Snapshot } from "@comanda/protocol";

/** Merges by plugin; an empty object clears its plugin's data. Undefined if nothing is left. */
export function mergePluginData(stored: Snapshot["pluginData"], patch: Snapshot["pluginData"]): Snapshot["pluginData"] {
  if (patch === undefined) return stored;
  const merged = Object.entries({ ...stored, ...patch }).filter(([, value]) => Object.keys(value).length > 0);
  return merged.length === 0 ? undefined : Object.fromEntries(merged);
}

import type { Snapshot } from "@comanda/protocol";

/** Merges per namespace; an empty object clears its namespace. Undefined when nothing is left. */
export function mergePluginData(stored: Snapshot["pluginData"], patch: Snapshot["pluginData"]): Snapshot["pluginData"] {
  if (patch === undefined) return stored;
  const merged = Object.entries({ ...stored, ...patch }).filter(([, value]) => Object.keys(value).length > 0);
  return merged.length === 0 ? undefined : Object.fromEntries(merged);
}

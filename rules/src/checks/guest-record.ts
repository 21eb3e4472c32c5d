import type { Snapshot } from "@comanda/protocol";
import { RESERVATIONS_PLUGIN, WAITING_PLUGIN } from "@comanda/protocol/guest-records.ts";
import type { HubKnowledge } from "../context.ts";
import type { CheckRefusal } from "./check-refusal.ts";

/** Returns the key of the plugin record that a check names for its guests, or null if it names none. */
export function guestRecordKey({ pluginData }: Pick<Snapshot, "pluginData">, pluginId: string): string | null {
  const key = pluginData?.[pluginId]?.["key"];
  return typeof key === "string" ? key : null;
}

/** Returns why a new check cannot seat its guests: they have a check already, or one in `beside`. Null if it can. */
export function refusalOfParty(
  hub: Pick<HubKnowledge, "checkOfParty"> | null,
  snapshot: Pick<Snapshot, "pluginData">,
  beside: readonly Snapshot[],
): CheckRefusal | null {
  for (const pluginId of [RESERVATIONS_PLUGIN, WAITING_PLUGIN]) {
    const key = guestRecordKey(snapshot, pluginId);
    if (key === null) continue;
    const created = beside.find((check) => guestRecordKey(check, pluginId) === key);
    const existing = created ?? hub?.checkOfParty({ pluginId, key }) ?? null;
    if (existing === null) continue;
    const { posReference, checkNumber = null } = existing;
    return { code: "PARTY_SEATED", values: { posReference, checkNumber } };
  }
  return null;
}

import { isDeepStrictEqual } from "node:util";
import {
  hubLimits,
  WAITING_PLUGIN,
  WAITING_TTL_SECONDS,
  type PluginRecord,
  type PutWaitingParty,
} from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { PluginService } from "./plugin-service.ts";

/**
 * Stores a party that waits for a table, or changes it. The hub sets since when it waits. Throws CONFLICT if the record was
 * changed since, unless it already equals the request.
 */
export function putWaitingParty(
  deps: { world: World; plugins: Pick<PluginService, "change" | "listInWrite"> },
  key: string,
  { version, ...party }: PutWaitingParty,
): Promise<PluginRecord> {
  const ttlSeconds = WAITING_TTL_SECONDS;
  return deps.plugins.change({ pluginId: WAITING_PLUGIN, key, ttlSeconds }, (record) => {
    if (record === null && deps.plugins.listInWrite(WAITING_PLUGIN).length >= hubLimits.waitingParties) {
      throw new HubError(
        "LIMIT_REACHED",
        `at most ${hubLimits.waitingParties} parties can wait: seat or remove some first`,
      );
    }
    const since = record?.payload["since"] ?? isoTime(deps.world.clock.now());
    const payload = { ...party, since };
    if (record !== null && isDeepStrictEqual(record.payload, payload)) return record.payload;
    const current = record?.version ?? 0;
    if (current !== version)
      throw new HubError("CONFLICT", `this party is at version ${current}`, { version: current });
    return payload;
  });
}

import type { CacheRecord } from "./outbox/queue/outbox-storage.ts";
import type { Schemas } from "./schemas.ts";
import { createTerminal } from "./terminal.ts";
import type { Terminal, TerminalOptions, VersionedOptions } from "./terminal-interface.ts";

/** Opens a terminal of one device with its outbox, and fails if another process has that open. `start` connects. */
export async function openTerminalWith(schemas: Schemas, options: VersionedOptions): Promise<Terminal> {
  const { storage } = options;
  const loaded = await storage.load();
  const deviceKeys = await storage.loadDeviceKeys();
  // The cache is optional: without it the terminal waits for the hub.
  const cached = await storage.loadCache().catch((): CacheRecord[] => []);
  const cache = new Map(cached);
  if (!schemas.readsOtherVersions) await forgetOtherVersion(storage, cache, options.clientVersion);
  return createTerminal(options, { schemas, loaded, deviceKeys, cache });
}

/** Drops the cached hub state of another version. The device's own records stay. */
async function forgetOtherVersion(
  storage: TerminalOptions["storage"],
  cache: Map<string, unknown>,
  version: string,
): Promise<void> {
  if (cache.get("version") === version) return;
  const copies = [...cache.keys()].filter((key) => !ownRecords.has(key));
  for (const key of copies) cache.delete(key);
  await storage
    .saveCache([...copies.map((key): CacheRecord => [key, undefined]), ["version", version]])
    .catch(() => {});
}

/** Cache keys of the device's own records, which have the same form in every version. */
const ownRecords: ReadonlySet<string> = new Set(["actor", "offers"]);

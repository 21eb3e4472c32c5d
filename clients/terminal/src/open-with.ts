import type { CacheRecord } from "./outbox/queue/outbox-storage.ts";
import type { Schemas } from "./schemas.ts";
import { createTerminal } from "./terminal.ts";
import type { Terminal, TerminalOptions, VersionedOptions } from "./terminal-interface.ts";

/** A terminal of one device. Opens the outbox (and fails when another process has it); `start` connects. */
export async function openTerminalWith(schemas: Schemas, options: VersionedOptions): Promise<Terminal> {
  const { storage } = options;
  const loaded = await storage.load();
  const deviceKeys = await storage.loadDeviceKeys();
  // What is cached is a convenience: without it the terminal waits for the hub.
  const cached = await storage.loadCache().catch((): CacheRecord[] => []);
  const cache = new Map(cached);
  if (!schemas.readsOtherVersions) await forgetOtherVersion(storage, cache, options.clientVersion);
  return createTerminal(options, { schemas, loaded, deviceKeys, cache });
}

/** Drops the copy of the hub's state that another version kept; its own offers and people stay. */
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

/** What is this device's own, in the same form in every version. */
const ownRecords: ReadonlySet<string> = new Set(["actor", "offers"]);

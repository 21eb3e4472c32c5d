import type { PluginRecord, PostPluginEvent } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { SLICE_ROWS, writeInSlices } from "../changes/write-in-slices.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import type { PluginStore } from "./plugin-store.ts";

export type PluginService = ReturnType<typeof createPluginService>;

/** The sweep runs at the next expiry, and at least this often. */
const SWEEP_MS = 10_000;

/**
 * Stores, reads and removes plugin records, and removes expired ones. Expiry follows elapsed time, so a jump of the wall clock
 * does not matter.
 */
export function createPluginService(deps: {
  world: World;
  time: TrustedTime;
  changes: ChangeLog;
  plugins: PluginStore;
}) {
  const { world, time, changes, plugins } = deps;
  const loop = createLoop(world, "expired plugin records", SWEEP_MS, removeExpired, () => {
    return (plugins.nextExpiryAt() ?? Infinity) - time.now();
  });

  time.onCorrected((byMs, since) => {
    void writeOrLog(deps, "the expiry of plugin records could not be corrected", (tx) =>
      plugins.correctExpiry(tx, byMs, since).forEach(tx.emit),
    );
  });

  async function removeExpired(): Promise<void> {
    if (plugins.listExpired(1).length === 0) return;
    await writeInSlices(changes, (tx) => {
      const expired = plugins.listExpired(SLICE_ROWS);
      for (const { pluginId, key } of expired) tx.emit(plugins.remove(tx, pluginId, key));
      return expired.length;
    });
  }

  /**
   * Stores the payload that `decide` returns for the live record (null if there is none), with a higher version. Changes
   * nothing if `decide` throws or returns the record's own payload. `ttlSeconds` applies to a new record; an existing one keeps
   * its expiry unless `renewsExpiry`.
   */
  async function change(
    {
      pluginId,
      key,
      ttlSeconds,
      renewsExpiry = false,
    }: Pick<PostPluginEvent, "key" | "ttlSeconds"> & { pluginId: string; renewsExpiry?: boolean },
    decide: (record: PluginRecord | null) => PluginRecord["payload"],
  ): Promise<PluginRecord> {
    const stored = await changes.write((tx) => {
      const record = plugins.get(pluginId, key);
      const payload = decide(record);
      if (record !== null && payload === record.payload) return record;
      const ttlMs = ttlSeconds === undefined ? null : ttlSeconds * 1000;
      const changed =
        record === null || renewsExpiry
          ? plugins.save(tx, { pluginId, key, payload, ttlMs })
          : plugins.revise(tx, pluginId, key, payload);
      tx.emit(changed);
      return changed.record;
    });
    if (ttlSeconds !== undefined) loop.reschedule();
    return stored;
  }

  return {
    start: loop.start,
    stop: loop.stop,

    /** Returns unexpired records, by key. */
    list: (pluginId: string): Promise<PluginRecord[]> => changes.read(() => plugins.listByPlugin(pluginId)),
    /** Returns the unexpired records. Must be called inside a write. */
    listInWrite: (pluginId: string): PluginRecord[] => plugins.listByPlugin(pluginId),
    get: (pluginId: string, key: string): Promise<PluginRecord | null> =>
      changes.read(() => plugins.get(pluginId, key)),
    /** Stores a record, replacing the one with its key, with a higher version. */
    post: (pluginId: string, { key, payload, ttlSeconds }: PostPluginEvent): Promise<PluginRecord> =>
      change({ pluginId, key, ttlSeconds, renewsExpiry: true }, () => payload),
    change,
    /** Returns false if there is no live record with that key. */
    async remove(pluginId: string, key: string): Promise<boolean> {
      return changes.write((tx) => {
        if (!plugins.has(pluginId, key)) return false;
        tx.emit(plugins.remove(tx, pluginId, key));
        return true;
      });
    },
  };
}

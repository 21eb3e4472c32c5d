/// <reference lib="dom" />
import type { OutboxEntry } from "../outbox/entries/outbox-entry.ts";
import { copyOf } from "../orders/order-content.ts";
import { OutboxInUseError, type DeviceKey, type OutboxStorage } from "../outbox/queue/outbox-storage.ts";
import { groupWrites } from "./group-writes.ts";
import { openReopeningDatabase } from "./reopening-database.ts";

const KEYS_ID = "device keys";

/**
 * Opens an outbox in the browser's IndexedDB. Device keys and cache have their own databases, so that an older version of the
 * application can still read the outbox. The tab that uses it holds a Web Lock: a second tab gets OutboxInUseError. A page
 * without Web Locks (plain http) relies on the hub, which ends the older of two sessions of one device (4409) and executes a
 * mutation once.
 */
export async function openIndexedDbStorage(name: string): Promise<OutboxStorage> {
  const release = await holdLock(`comanda outbox ${name}`);
  try {
    const outbox = await openReopeningDatabase(name);
    const keys = await openReopeningDatabase(`${name} ${KEYS_ID}`);
    const cache = await openReopeningDatabase(`${name} cache`);
    const write = groupWrites(outbox.write);
    return {
      load: async () =>
        ((await outbox.read((store) => store.getAll())) as OutboxEntry[]).toSorted(
          (one, other) => one.place - other.place,
        ),
      async put(entry) {
        // A snapshot: a retry must not store a later state.
        const value = copyOf(entry);
        await write((store) => store.put(value));
      },
      async remove(id) {
        await write((store) => store.delete(id));
      },
      async loadDeviceKeys() {
        const stored = await keys.read((store) => store.get(KEYS_ID));
        return (stored as { keys: DeviceKey[] } | undefined)?.keys ?? [];
      },
      async saveDeviceKeys(list) {
        await keys.write((store) => store.put({ id: KEYS_ID, keys: list }));
      },
      async loadCache() {
        const stored = (await cache.read((store) => store.getAll())) as { id: string; value: unknown }[];
        return stored.map(({ id, value }) => [id, value]);
      },
      async saveCache(records) {
        if (records.length === 0) return;
        await cache.write((store) => {
          for (const [id, value] of records) {
            if (value === undefined) store.delete(id);
            else store.put({ id, value });
          }
        }, "relaxed");
      },
      async close() {
        for (const database of [outbox, keys, cache]) database.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Resolves with a function that releases the lock. Throws OutboxInUseError if another tab holds it. */
async function holdLock(name: string): Promise<() => void> {
  if (typeof navigator === "undefined" || navigator.locks === undefined) return () => {};
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<boolean>();
  const lockRequest = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    answer(lock !== null);
    return lock === null ? undefined : released;
  });
  lockRequest.catch(() => answer(false));
  if (!(await answered)) throw new OutboxInUseError("the outbox of this device is in use by another tab");
  return release;
}

/// <reference lib="dom" />
import type { OutboxEntry } from "../outbox/outbox-entry.ts";
import { OutboxInUseError, type DeviceKey, type OutboxStorage } from "../outbox/outbox-storage.ts";

const STORE = "outbox";
const KEYS_ID = "device keys";

/**
 * An outbox in the browser's IndexedDB, and the device's keys in a second database: an older version of the application
 * still finds the first as it knows it. The tab that has it holds a Web Lock of the same name: a second tab gets
 * OutboxInUseError. A page without Web Locks (plain http) relies on the hub, which ends the older of two sessions of
 * one device (4409) and carries a mutation out once, however often it comes.
 */
export async function openIndexedDbStorage(name: string): Promise<OutboxStorage> {
  const release = await holdLock(`comanda outbox ${name}`);
  try {
    const db = await openDatabase(name);
    const keysDb = await openDatabase(`${name} ${KEYS_ID}`);
    return {
      load: async () =>
        ((await run(db, "readonly", (store) => store.getAll())) as OutboxEntry[]).toSorted(
          (one, other) => one.place - other.place,
        ),
      async put(entry) {
        await run(db, "readwrite", (store) => store.put(entry));
      },
      async remove(id) {
        await run(db, "readwrite", (store) => store.delete(id));
      },
      async loadDeviceKeys() {
        const stored = await run(keysDb, "readonly", (store) => store.get(KEYS_ID));
        return (stored as { keys: DeviceKey[] } | undefined)?.keys ?? [];
      },
      async saveDeviceKeys(keys) {
        await run(keysDb, "readwrite", (store) => store.put({ id: KEYS_ID, keys }));
      },
      async close() {
        db.close();
        keysDb.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Resolves with the function that releases the lock. */
async function holdLock(name: string): Promise<() => void> {
  if (typeof navigator === "undefined" || navigator.locks === undefined) return () => {};
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<boolean>();
  const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    answer(lock !== null);
    return lock === null ? undefined : released;
  });
  held.catch(() => answer(false));
  if (!(await answered)) throw new OutboxInUseError("the outbox of this device is in use by another tab");
  return release;
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { keyPath: "id" }));
  return settle(request, request);
}

/** Resolves when the transaction is complete, with `strict` durability: on the disk, not in the system's cache. */
function run<T>(db: IDBDatabase, mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = db.transaction(STORE, mode, { durability: "strict" });
  const request = act(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve(request.result));
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("the write was aborted")));
  });
}

function settle<T>(request: IDBRequest<T>, target: EventTarget): Promise<T> {
  return new Promise((resolve, reject) => {
    target.addEventListener("success", () => resolve(request.result));
    target.addEventListener("error", () => reject(request.error ?? new Error("the database could not be opened")));
    target.addEventListener("blocked", () => reject(new Error("the database is being changed by another tab")));
  });
}

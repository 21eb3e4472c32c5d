import type { OutboxEntry } from "../entries/outbox-entry.ts";

/** The key by which a hub recognizes a device. */
export interface DeviceKey {
  hubId: string;
  key: string;
}

/** A value under a key of the cache; undefined removes it. */
export type CacheRecord = readonly [key: string, value: unknown];

/**
 * Stores the outbox of one device, its keys and a cache. A resolved write has reached the disk. Only one process or tab can
 * open a storage at a time; the second gets OutboxInUseError.
 */
export interface OutboxStorage {
  /** Loads all entries, ordered by place. */
  load(): Promise<OutboxEntry[]>;
  /** Adds an entry, or replaces the one with its id. */
  put(entry: OutboxEntry): Promise<void>;
  remove(id: string): Promise<void>;
  /** Loads the saved keys; empty at first. */
  loadDeviceKeys(): Promise<DeviceKey[]>;
  /** Replaces all keys. */
  saveDeviceKeys(keys: readonly DeviceKey[]): Promise<void>;
  /** Loads the saved hub state, menu and the like, which are only for a start without the hub. */
  loadCache(): Promise<CacheRecord[]>;
  /** Saves all records or none. */
  saveCache(records: readonly CacheRecord[]): Promise<void>;
  close(): Promise<void>;
}

export class OutboxInUseError extends Error {
  override name = "OutboxInUseError";
}

/**
 * The storage failed, also after a retry; `cause` says how. Changes stay in effect, but those not stored are lost if the page
 * or process ends before the storage works again.
 */
export class UnsavedError extends Error {
  override name = "UnsavedError";
  constructor(cause: unknown) {
    super("this device cannot store its changes; they are sent all the same", { cause });
  }
}

/** Creates a storage that is lost with the process, for tests and terminals without a disk. */
export function memoryStorage(): OutboxStorage {
  const entries = new Map<string, string>();
  let deviceKeys: readonly DeviceKey[] = [];
  const cache = new Map<string, string>();
  return {
    async load() {
      return [...entries.values()]
        .map((text) => JSON.parse(text) as OutboxEntry)
        .toSorted((one, other) => one.place - other.place);
    },
    async put(entry) {
      entries.set(entry.id, JSON.stringify(entry));
    },
    async remove(id) {
      entries.delete(id);
    },
    async loadDeviceKeys() {
      return [...deviceKeys];
    },
    async saveDeviceKeys(keys) {
      deviceKeys = keys;
    },
    async loadCache() {
      return [...cache].map(([key, text]) => [key, JSON.parse(text) as unknown]);
    },
    async saveCache(records) {
      for (const [key, value] of records) {
        if (value === undefined) cache.delete(key);
        else cache.set(key, JSON.stringify(value));
      }
    },
    async close() {},
  };
}

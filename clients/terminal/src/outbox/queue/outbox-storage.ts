import type { OutboxEntry } from "../entries/outbox-entry.ts";

/** The key by which a hub recognizes a device. */
export interface DeviceKey {
  hubId: string;
  key: string;
}

/** A record of the cache: a value under a key; undefined removes it. */
export type CacheRecord = readonly [key: string, value: unknown];

/**
 * Stores the outbox of one device, and its keys and a cache beside it. A resolved call has reached the disk. One process or tab owns
 * a storage at a time: opening it a second time fails with OutboxInUseError.
 */
export interface OutboxStorage {
  /** All entries, by place. */
  load(): Promise<OutboxEntry[]>;
  /** Adds an entry or replaces the one with its id. */
  put(entry: OutboxEntry): Promise<void>;
  remove(id: string): Promise<void>;
  /** The list that was saved last; empty at first. */
  loadDeviceKeys(): Promise<DeviceKey[]>;
  /** Replaces the list. */
  saveDeviceKeys(keys: readonly DeviceKey[]): Promise<void>;
  /** What was saved of the hub's state, the menu and the like: worth a reload without the hub, and nothing more. */
  loadCache(): Promise<CacheRecord[]>;
  /** Writes all of them or none. */
  saveCache(records: readonly CacheRecord[]): Promise<void>;
  close(): Promise<void>;
}

export class OutboxInUseError extends Error {
  override name = "OutboxInUseError";
}

/**
 * The storage failed, also after another attempt; `cause` says how. Nothing is taken back for it, and until it works again what
 * was not stored is lost with the page or the process.
 */
export class UnsavedError extends Error {
  override name = "UnsavedError";
  constructor(cause: unknown) {
    super("this device cannot store its changes; they are sent all the same", { cause });
  }
}

/** Loses everything with the process: for tests and for terminals without a disk. */
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

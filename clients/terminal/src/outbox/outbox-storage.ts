import type { OutboxEntry } from "./outbox-entry.ts";

/** The key by which a hub recognizes a device. */
export interface DeviceKey {
  hubId: string;
  key: string;
}

/**
 * Stores the outbox of one device, and its keys beside it. A resolved call has reached the disk. One process or tab owns
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
  close(): Promise<void>;
}

export class OutboxInUseError extends Error {
  override name = "OutboxInUseError";
}

/** Loses everything with the process: for tests and for terminals without a disk. */
export function memoryStorage(): OutboxStorage {
  const entries = new Map<string, string>();
  let deviceKeys: readonly DeviceKey[] = [];
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
    async close() {},
  };
}

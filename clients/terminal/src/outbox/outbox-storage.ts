import type { OutboxEntry } from "./outbox-entry.ts";

/**
 * Where the outbox of one device lies. A resolved `put` or `remove` has reached the disk. One process or tab owns a
 * storage at a time: opening it a second time fails with OutboxInUseError.
 */
export interface OutboxStorage {
  /** All entries, by place. */
  load(): Promise<OutboxEntry[]>;
  /** Adds an entry or replaces the one with its id. */
  put(entry: OutboxEntry): Promise<void>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

export class OutboxInUseError extends Error {
  override name = "OutboxInUseError";
}

/** Forgets everything with the process: for tests and for terminals that have nowhere to write. */
export function memoryStorage(): OutboxStorage {
  const entries = new Map<string, string>();
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
    async close() {},
  };
}

/** Stores the newest version of records by key. Beyond `limit` records, the oldest are dropped. */
export function createRecordStore<Key, Item>(keyOf: (record: Item) => Key, limit = Infinity) {
  const records = new Map<Key, Item>();
  const changed = new Set<Key>();

  return {
    get: (key: Key) => records.get(key),
    has: (key: Key): boolean => records.has(key),
    all: () => records.values(),
    keep(record: Item): void {
      const key = keyOf(record);
      records.set(key, record);
      changed.add(key);
      if (records.size <= limit) return;
      const [oldest = key] = records.keys();
      records.delete(oldest);
    },
    drop(key: Key): void {
      records.delete(key);
      changed.add(key);
    },
    clear(): void {
      for (const key of records.keys()) changed.add(key);
      records.clear();
    },
    /** Returns the keys that were stored or dropped since the last call. */
    takeChanged(): Key[] {
      const keys = [...changed];
      changed.clear();
      return keys;
    },
  };
}

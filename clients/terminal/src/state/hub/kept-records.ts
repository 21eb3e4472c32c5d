/** Records by a key that each carries, in their newest state; beyond `most` the oldest go. */
export function createKeptRecords<Key, Kept>(keyOf: (record: Kept) => Key, most = Infinity) {
  const records = new Map<Key, Kept>();
  const changed = new Set<Key>();

  return {
    get: (key: Key) => records.get(key),
    has: (key: Key): boolean => records.has(key),
    all: () => records.values(),
    keep(record: Kept): void {
      const key = keyOf(record);
      records.set(key, record);
      changed.add(key);
      if (records.size <= most) return;
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
    /** The keys of what was kept or is gone since this was called last. */
    takeChanged(): Key[] {
      const keys = [...changed];
      changed.clear();
      return keys;
    },
  };
}

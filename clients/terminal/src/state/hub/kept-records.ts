/** Records by a key that each carries, in their newest state; beyond `most` the oldest go. */
export function createKeptRecords<Key, Kept>(keyOf: (record: Kept) => Key, most = Infinity) {
  const records = new Map<Key, Kept>();

  return {
    get: (key: Key) => records.get(key),
    has: (key: Key): boolean => records.has(key),
    all: () => records.values(),
    keys: () => records.keys(),
    /** Answers the key. */
    keep(record: Kept): Key {
      const key = keyOf(record);
      records.set(key, record);
      if (records.size <= most) return key;
      const [oldest = key] = records.keys();
      records.delete(oldest);
      return key;
    },
    drop: (key: Key) => void records.delete(key),
    clear: () => records.clear(),
  };
}

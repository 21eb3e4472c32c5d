import Database from "better-sqlite3";
import type { OutboxEntry } from "../outbox/entries/outbox-entry.ts";
import {
  OutboxInUseError,
  type CacheRecord,
  type DeviceKey,
  type OutboxStorage,
} from "../outbox/queue/outbox-storage.ts";

interface EntryRow {
  body: string;
}

/**
 * Opens a SQLite file with the outbox, the device keys and a cache. The file is locked while open: a second process gets
 * OutboxInUseError. Writes survive a power cut (`synchronous=FULL`).
 */
export function openSqliteStorage(path: string): OutboxStorage {
  const db = openExclusively(path);
  const select = db.prepare<[], EntryRow>("SELECT body FROM outbox ORDER BY place");
  const upsert = db.prepare<{ id: string; place: number; body: string }>(
    "INSERT INTO outbox (id, place, body) VALUES (@id, @place, @body) ON CONFLICT (id) DO UPDATE SET place = @place, body = @body",
  );
  const remove = db.prepare<[string]>("DELETE FROM outbox WHERE id = ?");
  const selectKeys = db.prepare<[], DeviceKey>("SELECT hub_id AS hubId, key FROM device_keys ORDER BY place");
  const deleteKeys = db.prepare("DELETE FROM device_keys");
  const insertKey = db.prepare<DeviceKey>("INSERT INTO device_keys (hub_id, key) VALUES (@hubId, @key)");
  const replaceKeys = db.transaction((keys: readonly DeviceKey[]) => {
    deleteKeys.run();
    for (const { hubId, key } of keys) insertKey.run({ hubId, key });
  });
  const selectCache = db.prepare<[], { key: string; body: string }>("SELECT key, body FROM cache");
  const putCache = db.prepare<[string, string]>("INSERT OR REPLACE INTO cache (key, body) VALUES (?, ?)");
  const removeCache = db.prepare<[string]>("DELETE FROM cache WHERE key = ?");
  const saveCache = db.transaction((records: readonly CacheRecord[]) => {
    for (const [key, value] of records) {
      if (value === undefined) removeCache.run(key);
      else putCache.run(key, JSON.stringify(value));
    }
  });
  return {
    async load() {
      return select.all().map(({ body }) => JSON.parse(body) as OutboxEntry);
    },
    async put(entry) {
      upsert.run({ id: entry.id, place: entry.place, body: JSON.stringify(entry) });
    },
    async remove(id) {
      remove.run(id);
    },
    async loadDeviceKeys() {
      return selectKeys.all();
    },
    async saveDeviceKeys(keys) {
      replaceKeys(keys);
    },
    async loadCache() {
      return selectCache.all().map(({ key, body }) => [key, JSON.parse(body) as unknown]);
    },
    async saveCache(records) {
      saveCache(records);
    },
    async close() {
      db.close();
    },
  };
}

function openExclusively(path: string): Database.Database {
  const db = new Database(path, { timeout: 0 });
  try {
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.exec(`
      CREATE TABLE IF NOT EXISTS outbox (id TEXT PRIMARY KEY, place REAL NOT NULL, body TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS device_keys (place INTEGER PRIMARY KEY, hub_id TEXT NOT NULL, key TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS cache (key TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
    `);
    return db;
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code === "SQLITE_BUSY") {
      throw new OutboxInUseError(`the outbox ${path} is in use by another terminal process`);
    }
    throw error;
  }
}

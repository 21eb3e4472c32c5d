import type { PluginRecord } from "@comanda/protocol";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { isoTime, isoTimeOrNull } from "../platform/world.ts";
import { recordWarnings } from "./record-warnings.ts";

interface Row {
  pluginId: string;
  key: string;
  payload: string | null;
  version: number;
  createdAt: number;
  updatedAt: number;
  expiresAt: number | null;
  isRemoved: number;
}

export type PluginStore = ReturnType<typeof createPluginStore>;

const COLUMNS = `plugin_id AS pluginId, key, payload, version, created_at AS createdAt, updated_at AS updatedAt,
  expires_at AS expiresAt, is_removed AS isRemoved`;

/**
 * Stores records that integrations show on terminals. A removed record leaves its version, so that versions never go back.
 * `now` (ms since 1970) decides what has expired. Calls `onDamage` for unreadable records and leaves them out.
 */
export function createPluginStore(db: Db, now: () => number, onDamage: (description: string) => void) {
  const get = db.prepare<[string, string], Row>(
    `SELECT ${COLUMNS} FROM plugin_records WHERE plugin_id = ? AND key = ?`,
  );
  const listByPlugin = db.prepare<{ pluginId: string; now: number }, Row>(`
    SELECT ${COLUMNS} FROM plugin_records INDEXED BY plugin_record_live
    WHERE plugin_id = @pluginId AND is_removed = 0 AND (expires_at IS NULL OR expires_at > @now) ORDER BY key`);
  const list = db.prepare<[number], Row>(`
    SELECT ${COLUMNS} FROM plugin_records INDEXED BY plugin_record_live
    WHERE is_removed = 0 AND (expires_at IS NULL OR expires_at > ?) ORDER BY plugin_id, key`);
  const since = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM plugin_records WHERE seq > ? ORDER BY seq`);
  const listExpired = db.prepare<[number, number], { pluginId: string; key: string }>(`
    SELECT plugin_id AS pluginId, key FROM plugin_records
    WHERE is_removed = 0 AND expires_at IS NOT NULL AND expires_at <= ? LIMIT ?`);
  const expiring = db.prepare<[number], Row>(`
    SELECT ${COLUMNS} FROM plugin_records INDEXED BY plugin_record_by_expiry
    WHERE is_removed = 0 AND expires_at IS NOT NULL AND updated_at >= ? ORDER BY seq`);
  const nextExpiry = db.prepare<[], { at: number | null }>(`
    SELECT min(expires_at) AS at FROM plugin_records WHERE is_removed = 0 AND expires_at IS NOT NULL`);
  const upsert = db.prepare<Omit<Row, "isRemoved"> & { seq: number }>(`
    INSERT INTO plugin_records (plugin_id, key, payload, version, created_at, updated_at, expires_at, is_removed, seq)
    VALUES (@pluginId, @key, @payload, @version, @createdAt, @updatedAt, @expiresAt, 0, @seq)
    ON CONFLICT (plugin_id, key) DO UPDATE SET
      payload = excluded.payload, version = excluded.version, created_at = excluded.created_at,
      updated_at = excluded.updated_at, expires_at = excluded.expires_at, is_removed = 0, seq = excluded.seq`);
  const remove = db.prepare<{ pluginId: string; key: string; at: number; seq: number }>(`
    UPDATE plugin_records SET is_removed = 1, payload = NULL, expires_at = NULL, updated_at = @at, seq = @seq
    WHERE plugin_id = @pluginId AND key = @key`);

  function store(tx: Tx, row: Row): ChangeOf<"plugin.stored"> {
    const seq = tx.nextSeq();
    const { isRemoved: _, ...columns } = row;
    upsert.run({ ...columns, seq });
    return { kind: "plugin.stored", seq, record: present(row) };
  }

  /** The unexpired row of a key, if any. */
  const liveRows = (pluginId: string, key: string): Row[] => get.all(pluginId, key).filter((row) => isLive(row, now()));

  function readable(rows: readonly Row[]): PluginRecord[] {
    return rows.flatMap((row) => {
      try {
        return [present(row)];
      } catch {
        onDamage(`record ${row.key} of plugin ${row.pluginId} cannot be read`);
        return [];
      }
    });
  }

  return {
    /** Returns the unexpired record, or null. */
    get: (pluginId: string, key: string): PluginRecord | null => readable(liveRows(pluginId, key))[0] ?? null,
    /** Whether there is an unexpired record, also an unreadable one. */
    has: (pluginId: string, key: string): boolean => liveRows(pluginId, key).length > 0,
    listByPlugin: (pluginId: string): PluginRecord[] => readable(listByPlugin.all({ pluginId, now: now() })),
    list: (): PluginRecord[] => readable(list.all(now())),
    listExpired: (limit: number): { pluginId: string; key: string }[] => listExpired.all(now(), limit),
    /** Returns when the next record expires (ms since 1970), or null. */
    nextExpiryAt: (): number | null => nextExpiry.get()?.at ?? null,

    /** Returns the records changed after `seq`, serialized: live ones and removed or expired ones. */
    wireSince(seq: number): { pluginRecords: string[]; removedPluginRecords: string[] } {
      const rows = since.all(seq);
      const at = now();
      const expiredRows = rows.filter((row) => !isLive(row, at));
      return {
        pluginRecords: readable(rows.filter((row) => isLive(row, at))).map((record) => JSON.stringify(record)),
        removedPluginRecords: expiredRows.map(({ pluginId, key }) => JSON.stringify({ pluginId, key })),
      };
    },

    /** Stores a record, replacing the one with its key, and returns the change. The caller emits it. */
    save(
      tx: Tx,
      record: { pluginId: string; key: string; payload: Record<string, unknown>; ttlMs: number | null },
    ): ChangeOf<"plugin.stored"> {
      const previous = get.get(record.pluginId, record.key);
      const at = now();
      return store(tx, {
        pluginId: record.pluginId,
        key: record.key,
        payload: JSON.stringify(record.payload),
        version: (previous?.version ?? 0) + 1,
        createdAt: previous !== undefined && isLive(previous, at) ? previous.createdAt : at,
        updatedAt: at,
        expiresAt: record.ttlMs === null ? null : at + record.ttlMs,
        isRemoved: 0,
      });
    },

    /** Replaces the payload of a record that `get` returns. The caller emits the change. */
    revise(tx: Tx, pluginId: string, key: string, payload: PluginRecord["payload"]): ChangeOf<"plugin.stored"> {
      const stored = get.get(pluginId, key);
      if (stored === undefined) throw new Error(`there is no record ${key} of plugin ${pluginId}`);
      return store(tx, {
        ...stored,
        payload: JSON.stringify(payload),
        version: stored.version + 1,
        updatedAt: now(),
      });
    },

    /** Applies a time correction of `byMs`: records stored since `since` (ms since 1970) keep their lifetime. */
    correctExpiry: (tx: Tx, byMs: number, since: number): ChangeOf<"plugin.stored">[] =>
      expiring.all(since).map((row) =>
        store(tx, {
          ...row,
          version: row.version + 1,
          createdAt: row.createdAt >= since ? row.createdAt + byMs : row.createdAt,
          updatedAt: row.updatedAt + byMs,
          expiresAt: row.expiresAt === null ? null : row.expiresAt + byMs,
        }),
      ),

    remove(tx: Tx, pluginId: string, key: string): ChangeOf<"plugin.removed"> {
      const seq = tx.nextSeq();
      remove.run({ pluginId, key, at: tx.now, seq });
      return { kind: "plugin.removed", seq, pluginId, key };
    },
  };
}

function isLive(row: Row, now: number): boolean {
  return row.isRemoved === 0 && (row.expiresAt === null || row.expiresAt > now);
}

function present(row: Row): PluginRecord {
  const payload = JSON.parse(row.payload ?? "{}") as Record<string, unknown>;
  return {
    pluginId: row.pluginId,
    key: row.key,
    payload,
    version: row.version,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    expiresAt: isoTimeOrNull(row.expiresAt),
    ...recordWarnings(row.pluginId, payload),
  };
}

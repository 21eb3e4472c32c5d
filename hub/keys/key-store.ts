import { type ApiKey, type CreateKey, EXTERNAL_ORIGIN_PREFIX, type Scope } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { createLoop } from "../platform/loop.ts";
import { sqlTime, type World } from "../platform/world.ts";
import { digestOf, formatToken, matchesDigest, parseToken } from "./key-token.ts";

/** The API key of a request. */
export interface KeyHolder {
  keyId: string;
  label: string;
  scopes: readonly Scope[];
  /** The name under which the key writes: `ext:{keyId}`. */
  writer: string;
}

interface Row {
  keyId: string;
  digest: string;
  label: string;
  scopes: string;
  isEnabled: number;
  createdAt: number;
  lastUsedAt: number | null;
}

export type KeyStore = ReturnType<typeof createKeyStore>;

/** `lastUsedAt` is updated at most this often. */
const USE_EVERY_MS = 60_000;

/** Stores API keys, each with only a digest of its secret. Uses are kept in memory and stored by `saveUses`. */
export function createKeyStore(world: World, db: Db) {
  const COLUMNS = `key_id AS keyId, digest, label, scopes, is_enabled AS isEnabled, created_at AS createdAt,
    last_used_at AS lastUsedAt`;
  const get = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM external_keys WHERE key_id = ?`);
  const list = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM external_keys ORDER BY created_at, key_id`);
  const hasHad = db.prepare<[], { hasHadKey: number }>("SELECT has_had_key AS hasHadKey FROM hub_state");
  const noteFirst = db.prepare("UPDATE hub_state SET has_had_key = 1 WHERE has_had_key = 0");
  const insert = db.prepare<Row>(`
    INSERT INTO external_keys (key_id, digest, label, scopes, is_enabled, created_at, last_used_at)
    VALUES (@keyId, @digest, @label, @scopes, @isEnabled, @createdAt, @lastUsedAt)`);
  const setEnabled = db.prepare<[number, string]>("UPDATE external_keys SET is_enabled = ? WHERE key_id = ?");
  const remove = db.prepare<[string]>("DELETE FROM external_keys WHERE key_id = ?");
  const setUsed = db.prepare<[number, string]>("UPDATE external_keys SET last_used_at = ? WHERE key_id = ?");

  /** Last recorded use of each key: `at` is monotonic, for the interval; `wallAt` is for display. */
  const uses = new Map<string, { at: number; wallAt: number; isSaved: boolean }>();

  function noteUse({ keyId, lastUsedAt }: Row): void {
    const lastUse = uses.get(keyId);
    const at = world.clock.monotonic();
    const wallAt = world.clock.now();
    // A use from an earlier run has only a wall clock time.
    const sinceMs = lastUse === undefined ? wallAt - (lastUsedAt ?? -Infinity) : at - lastUse.at;
    if (sinceMs >= 0 && sinceMs < USE_EVERY_MS) return;
    uses.set(keyId, { at, wallAt, isSaved: false });
  }

  function present({ keyId, label, scopes, isEnabled, createdAt, lastUsedAt }: Row): ApiKey {
    const usedAt = uses.get(keyId)?.wallAt ?? lastUsedAt;
    return {
      keyId,
      label,
      scopes: parseColumn<Scope[]>(scopes, []),
      enabled: isEnabled === 1,
      createdAt: sqlTime(createdAt),
      lastUsedAt: usedAt === null ? null : sqlTime(usedAt),
    };
  }

  return {
    /** Returns the holder of a token and records its use; null if unknown, disabled, deleted or malformed. */
    verify(token: string): KeyHolder | null {
      const parsed = parseToken(token);
      if (parsed === null) return null;
      const row = get.get(parsed.keyId);
      if (row === undefined || !matchesDigest(parsed.secret, row.digest) || row.isEnabled === 0) return null;
      noteUse(row);
      return {
        keyId: row.keyId,
        label: row.label,
        scopes: parseColumn<Scope[]>(row.scopes, []),
        writer: `${EXTERNAL_ORIGIN_PREFIX}${row.keyId}`,
      };
    },

    list: (): ApiKey[] => list.all().map(present),
    /** Whether there has ever been a key, even a deleted one. */
    hasHadOne: (): boolean => hasHad.get()?.hasHadKey === 1,

    /** Creates a key. The token is returned only here. */
    create(tx: Tx, input: CreateKey): { keyId: string; token: string } {
      const keyId = world.random.bytes(6).toString("hex");
      const secret = world.random.bytes(32).toString("hex");
      insert.run({
        keyId,
        digest: digestOf(secret),
        label: input.label,
        scopes: JSON.stringify(input.scopes),
        isEnabled: 1,
        createdAt: tx.now,
        lastUsedAt: null,
      });
      noteFirst.run();
      return { keyId, token: formatToken({ keyId, secret }) };
    },
    /** Returns false if the key does not exist. */
    setEnabled: (keyId: string, isEnabled: boolean): boolean => setEnabled.run(isEnabled ? 1 : 0, keyId).changes === 1,
    remove(keyId: string): boolean {
      uses.delete(keyId);
      return remove.run(keyId).changes === 1;
    },

    /** Stores the uses recorded since the last call, if any. */
    async saveUses(changes: ChangeLog): Promise<void> {
      const unsaved = [...uses].filter(([, use]) => !use.isSaved);
      if (unsaved.length === 0) return;
      await changes.write(() => {
        for (const [keyId, use] of unsaved) setUsed.run(use.wallAt, keyId);
      });
      for (const [, use] of unsaved) use.isSaved = true;
    },
  };
}

const EVERY_MS = 5_000;

/** Stores when keys were last used, several at once and outside of requests. */
export function createKeyUses(world: World, changes: ChangeLog, keys: KeyStore) {
  const loop = createLoop(world, "key uses", EVERY_MS, () => keys.saveUses(changes));
  return {
    start: loop.start,
    async stop(): Promise<void> {
      await loop.stop();
      await keys.saveUses(changes);
    },
  };
}

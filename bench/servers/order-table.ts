import Database from "better-sqlite3";

/** The competitors' storage: a history row per write, and which row is each order's newest state. */
export interface OrderTable {
  db: Database.Database;
  /** Runs `work` as one durable transaction (WAL, synchronous=FULL). */
  commit: (work: () => void) => void;
  version: (posReference: string) => number;
  /** Writes one version; must be called inside `commit`. `json` is the stored order as it is sent to terminals. */
  put: (row: { posReference: string; version: number; seq: number; json: string }) => void;
  /** Returns the stored orders that changed after `seq` as JSON texts, oldest change first. */
  since: (seq: number) => string[];
  lastSeq: () => number;
}

export function openOrderTable(path: string): OrderTable {
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(`
    CREATE TABLE IF NOT EXISTS orders (
      pos_reference TEXT PRIMARY KEY, version INTEGER NOT NULL, seq INTEGER NOT NULL, history_id INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS orders_by_seq ON orders (seq);
    CREATE TABLE IF NOT EXISTS history (
      id INTEGER PRIMARY KEY, pos_reference TEXT NOT NULL, version INTEGER NOT NULL, json TEXT NOT NULL
    ) STRICT;
  `);
  const begin = db.prepare("BEGIN IMMEDIATE");
  const end = db.prepare("COMMIT");
  const undo = db.prepare("ROLLBACK");
  const version = db.prepare<[string], { version: number }>("SELECT version FROM orders WHERE pos_reference = ?");
  const putOrder = db.prepare(`
    INSERT INTO orders (pos_reference, version, seq, history_id) VALUES (@posReference, @version, @seq, @historyId)
    ON CONFLICT (pos_reference) DO UPDATE SET
      version = excluded.version, seq = excluded.seq, history_id = excluded.history_id
  `);
  const putHistory = db.prepare(
    "INSERT INTO history (pos_reference, version, json) VALUES (@posReference, @version, @json)",
  );
  const since = db.prepare<[number], { json: string }>(`
    SELECT h.json AS json FROM orders o JOIN history h ON h.id = o.history_id WHERE o.seq > ? ORDER BY o.seq`);
  const lastSeq = db.prepare<[], { seq: number | null }>("SELECT max(seq) AS seq FROM orders");
  return {
    db,
    commit(work) {
      begin.run();
      try {
        work();
        end.run();
      } catch (error) {
        undo.run();
        throw error;
      }
    },
    version: (posReference) => version.get(posReference)?.version ?? 0,
    put({ posReference, version: newVersion, seq, json }) {
      const historyId = putHistory.run({ posReference, version: newVersion, json }).lastInsertRowid;
      putOrder.run({ posReference, version: newVersion, seq, historyId });
    },
    since: (seq) => since.all(seq).map((row) => row.json),
    lastSeq: () => lastSeq.get()?.seq ?? 0,
  };
}

/** Returns a stored order in the form of the terminal protocol. */
export function storedOrder(input: {
  posReference: string;
  version: number;
  writer: string;
  snapshot: Record<string, unknown>;
}): string {
  const { posReference, version, writer, snapshot } = input;
  const now = new Date().toISOString();
  return JSON.stringify({
    posReference,
    version,
    tableId: snapshot["tableId"] ?? null,
    terminalId: writer,
    createdAt: now,
    updatedAt: now,
    snapshot: { posReference, status: "open", createdAt: now, updatedAt: now, ...snapshot },
  });
}

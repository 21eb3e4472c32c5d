/// <reference lib="dom" />
const STORE = "outbox";

/**
 * Opens a database with one store, keyed by `id`. WebKit closes a connection while the page sleeps, often without an event. A
 * failed access is therefore retried once on a new connection, so it must be safe to repeat.
 */
export async function openReopeningDatabase(name: string) {
  let connection: IDBDatabase | null = null;
  /** Shared by accesses that fail at the same time. */
  let reopening: Promise<IDBDatabase> | null = null;
  let isClosed = false;
  await reopen();

  return {
    read<T>(act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
      return access(async (db) => {
        let request: IDBRequest<T> | undefined;
        await run(db, "readonly", "default", (store) => (request = act(store)));
        return (request as IDBRequest<T>).result;
      });
    },
    /** Resolves when the data is on disk (`strict`) or in the system's cache (`relaxed`). */
    write(act: (store: IDBObjectStore) => void, durability: "strict" | "relaxed" = "strict"): Promise<void> {
      return access((db) => run(db, "readwrite", durability, act));
    },
    close(): void {
      isClosed = true;
      connection?.close();
    },
  };

  async function access<T>(act: (db: IDBDatabase) => Promise<T>): Promise<T> {
    const used = connection;
    if (used !== null) {
      try {
        return await act(used);
      } catch (error) {
        // A new connection does not help against a full disk or a value that cannot be stored.
        if (isClosed || !isLost(error)) throw error;
        if (connection === used) connection = null;
        used.close();
      }
    }
    return act(connection ?? (await reopen()));
  }

  function reopen(): Promise<IDBDatabase> {
    reopening ??= connect().finally(() => (reopening = null));
    return reopening;
  }

  async function connect(): Promise<IDBDatabase> {
    const request = indexedDB.open(name, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { keyPath: "id" }));
    const db = await settle(request);
    const forget = () => {
      if (connection === db) connection = null;
    };
    db.addEventListener("close", forget);
    connection = db;
    return db;
  }
}

function isLost(error: unknown): boolean {
  const name = error instanceof Error ? error.name : "";
  return !["QuotaExceededError", "DataCloneError", "DataError"].includes(name);
}

function run(
  db: IDBDatabase,
  mode: IDBTransactionMode,
  durability: IDBTransactionDurability,
  act: (store: IDBObjectStore) => void,
): Promise<void> {
  const transaction = db.transaction(STORE, mode, { durability });
  act(transaction.objectStore(STORE));
  // Otherwise the browser waits for another request before it commits, and closing the page would discard the write.
  if (mode === "readwrite") transaction.commit();
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("the write was aborted")));
  });
}

function settle(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the database could not be opened")));
    request.addEventListener("blocked", () => reject(new Error("the database is being changed by another tab")));
  });
}

/// <reference lib="dom" />
const STORE = "outbox";

/**
 * A database with one store, keyed by `id`. WebKit closes a connection while the page sleeps, often without an event: an
 * access that fails is made once more on a new connection, so it must be one that may be made twice.
 */
export async function openReopeningDatabase(name: string) {
  let connection: IDBDatabase | null = null;
  /** Accesses that fail together share one new connection. */
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
    /** Resolves when it is on the disk (`strict`), or in the system's cache (`relaxed`). */
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
        // A full disk, or a value that cannot be stored, is none of the connection's fault.
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
  // Without it the browser asks back before it commits, and a page that ends meanwhile takes the write along.
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

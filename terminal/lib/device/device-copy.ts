/** In the same kind of storage as the outbox, so that they are deleted together or not at all. */
const DATABASE = "comanda terminal device";
const STORE = "device";
/** Some browsers never answer after a cold start. In ms. */
const ANSWER_MS = 1_000;

/** Returns the copy of the device record; undefined without one, or if the browser stores nothing. */
export async function readDeviceCopy(): Promise<unknown> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, ANSWER_MS));
  const read = access("readonly", (store) => store.get(STORE)).catch(() => undefined);
  return Promise.race([read, late]);
}

export function writeDeviceCopy(device: object): void {
  access("readwrite", (store) => store.put(device, STORE)).catch(() => {});
}

async function access(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE));
  const database = await settle<IDBDatabase>(opening);
  try {
    return await settle<unknown>(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    // Pending requests finish before the database closes.
    database.close();
  }
}

export function settle<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error as Error));
  });
}

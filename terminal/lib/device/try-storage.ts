import { settle } from "./device-copy.ts";

/** Whether stored values can be read back, and whether the browser may evict them. */
export type StorageState = "kept" | "mayBeCleared" | "refused";

/** Tests the kind of storage that the outbox uses. Asks the browser not to evict it. Never throws. */
export async function tryStorage(): Promise<StorageState> {
  try {
    const name = "comanda storage test";
    const opening = indexedDB.open(name, 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("test"));
    const db = await settle(opening);
    const written = db.transaction("test", "readwrite").objectStore("test");
    await settle(written.put("kept", 1));
    const read: unknown = await settle(db.transaction("test").objectStore("test").get(1));
    db.close();
    indexedDB.deleteDatabase(name);
    if (read !== "kept") return "refused";
    return (await requestPersistence()) === true ? "kept" : "mayBeCleared";
  } catch {
    return "refused";
  }
}

/** Returns whether the browser promises not to evict the page's storage; null if it cannot be asked. */
async function requestPersistence(): Promise<boolean | null> {
  const storage = (navigator as { storage?: Partial<StorageManager> }).storage;
  return (await storage?.persist?.()) ?? null;
}

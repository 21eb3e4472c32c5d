import { settle } from "./device-copy.ts";

/** Whether something that is kept can be read back; asks the browser, too, not to throw it away. */
export type StorageState = "kept" | "mayBeCleared" | "refused";

/** Writes, reads back and removes a value in the kind of storage that the outbox uses. Never throws. */
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
    return (await askToKeepStorage()) === true ? "kept" : "mayBeCleared";
  } catch {
    return "refused";
  }
}

/** Whether the browser promises not to throw away what the page keeps; null where it cannot be asked. */
async function askToKeepStorage(): Promise<boolean | null> {
  const storage = (navigator as { storage?: Partial<StorageManager> }).storage;
  return (await storage?.persist?.()) ?? null;
}

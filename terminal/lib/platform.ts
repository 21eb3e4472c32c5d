// What a browser may lack, above all on a page over plain http, each with what replaces it. Only this file touches it.

/** Whether the browser counts this page as safe: service workers, wake lock and the like exist only there. */
export const isSecure = globalThis.isSecureContext;

/** A short tap in the hand, where the device has it (Android). */
export function vibrate(ms: number): void {
  // A browser complains of a page that vibrates before somebody has touched it.
  if ((navigator as { userActivation?: UserActivation }).userActivation?.hasBeenActive === false) return;
  (navigator as { vibrate?: (pattern: number) => boolean }).vibrate?.(ms);
}

/** Whether the browser promises not to throw away what the page keeps; null where it cannot be asked. */
async function askToKeepStorage(): Promise<boolean | null> {
  const storage = (navigator as { storage?: Partial<StorageManager> }).storage;
  return (await storage?.persist?.()) ?? null;
}

/** Keeps the screen on until the answer is called; null where the device's own settings have to do it. */
export async function keepAwake(): Promise<(() => void) | null> {
  const { wakeLock } = navigator as { wakeLock?: WakeLock };
  try {
    const lock = await wakeLock?.request("screen");
    return lock === undefined ? null : () => void lock.release();
  } catch {
    return null;
  }
}

/** Whether something that is kept can be read back; asks the browser, too, not to throw it away. */
export type StorageState = "kept" | "mayBeCleared" | "refused";

/** Writes, reads back and removes a value in the kind of storage that the outbox uses. Never throws. */
export async function tryStorage(): Promise<StorageState> {
  try {
    const name = "comanda storage test";
    const opening = indexedDB.open(name, 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("test"));
    const db = await settled(opening);
    const written = db.transaction("test", "readwrite").objectStore("test");
    await settled(written.put("kept", 1));
    const read: unknown = await settled(db.transaction("test").objectStore("test").get(1));
    db.close();
    indexedDB.deleteDatabase(name);
    if (read !== "kept") return "refused";
    return (await askToKeepStorage()) === true ? "kept" : "mayBeCleared";
  } catch {
    return "refused";
  }
}

/** The time of this device's own clock in ms since 1970: to compare, never to decide by. */
export function deviceTime(): number {
  return Date.now();
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the storage failed")));
  });
}

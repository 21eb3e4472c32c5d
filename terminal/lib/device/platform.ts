// What a browser may lack, above all over plain http, with its replacements. Only this file uses these APIs, and
// `try-storage.ts`, which few screens need.

/** Whether the page is a secure context: service workers, wake lock and similar exist only there. */
export const isSecure = globalThis.isSecureContext;

/** Vibrates briefly, where the device can (Android). */
export function vibrate(ms: number): void {
  // A browser warns about a page that vibrates before the user has touched it.
  if ((navigator as { userActivation?: UserActivation }).userActivation?.hasBeenActive === false) return;
  (navigator as { vibrate?: (pattern: number) => boolean }).vibrate?.(ms);
}

/** Keeps the screen on until the returned function is called; null if the browser has no wake lock. */
export async function keepAwake(): Promise<(() => void) | null> {
  const { wakeLock } = navigator as { wakeLock?: WakeLock };
  try {
    const lock = await wakeLock?.request("screen");
    return lock === undefined ? null : () => void lock.release();
  } catch {
    return null;
  }
}

/** Returns the device's own time in ms since 1970: to compare times, never to decide. */
export function deviceTime(): number {
  return Date.now();
}

// What a browser may lack, above all on a page over plain http, each with what replaces it. Only this file touches it, and
// `try-storage.ts`, which few screens need.

/** Whether the browser counts this page as safe: service workers, wake lock and the like exist only there. */
export const isSecure = globalThis.isSecureContext;

/** A short tap in the hand, where the device has it (Android). */
export function vibrate(ms: number): void {
  // A browser complains of a page that vibrates before somebody has touched it.
  if ((navigator as { userActivation?: UserActivation }).userActivation?.hasBeenActive === false) return;
  (navigator as { vibrate?: (pattern: number) => boolean }).vibrate?.(ms);
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

/** The time of this device's own clock in ms since 1970: to compare, never to decide by. */
export function deviceTime(): number {
  return Date.now();
}

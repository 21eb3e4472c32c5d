import { useNow as useOwnNow, useTextAt as useOwnTextAt } from "@comanda/ui/use-now.ts";

/** A difference up to this comes from the way and from the whole seconds of a Date header. */
const SAME_MS = 5_000;

let aheadMs = 0;

/** Returns the hub's time at a time of this device, in ms since 1970; the device's own until the hub has answered. */
export const hubTime = (at = Date.now()): number => at + aheadMs;

/** Takes the hub's time of an answer, by which all stamps are made: ages follow it, whatever this device's clock shows. */
export function followHubTime({ headers }: Response): void {
  const time = Date.parse(headers.get("date") ?? "");
  if (Math.abs(time - hubTime()) > SAME_MS) aheadMs = time - Date.now();
}

/** Returns the hub's time, to the second. */
export const useNow = (): number => useOwnNow() + aheadMs;

/** Returns a text that depends on the hub's time. The component rerenders only if the text has changed. */
export const useTextAt = (text: (now: number) => string): string => useOwnTextAt((now) => text(now + aheadMs));

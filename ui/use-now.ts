import { useSyncExternalStore } from "react";
import { createStore, useStore } from "./store.ts";

/** A difference up to this comes from the way and from the whole seconds of a Date header. */
const SAME_MS = 5_000;

let aheadMs = 0;

/** Returns the page's time in ms since 1970: that of its server, once `followClock` was called, else that of this device. */
export const pageTime = (): number => Date.now() + aheadMs;

/** Takes the time of the server that stamps what the page shows. Ages then follow it, whatever this device's clock shows. */
export function followClock(serverTime: number): void {
  if (Math.abs(serverTime - pageTime()) > SAME_MS) aheadMs = serverTime - Date.now();
}

/** One clock for all ages on the page. It ticks every second while a component uses it. */
const clock = createStore(pageTime());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const ticking = {
  get: clock.get,
  set: clock.set,
  subscribe(listener: () => void) {
    if (watchers++ === 0) {
      clock.set(pageTime());
      timer = setInterval(() => clock.set(pageTime()), 1000);
    }
    const stop = clock.subscribe(listener);
    return () => {
      stop();
      if (--watchers === 0) clearInterval(timer);
    };
  },
};

/** Returns the page's time in ms since 1970, to the second. */
export function useNow(): number {
  return useStore(ticking);
}

/** Returns a text that depends on the time. The component rerenders only if the text has changed. */
export function useTextAt(text: (now: number) => string): string {
  return useSyncExternalStore(ticking.subscribe, () => text(ticking.get()));
}

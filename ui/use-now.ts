import { useSyncExternalStore } from "react";
import { createStore, useStore } from "./store.ts";

/** One clock for all ages on the page. It ticks every second while a component uses it. */
const clock = createStore(Date.now());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const ticking = {
  get: clock.get,
  set: clock.set,
  subscribe(listener: () => void) {
    if (watchers++ === 0) {
      clock.set(Date.now());
      timer = setInterval(() => clock.set(Date.now()), 1000);
    }
    const stop = clock.subscribe(listener);
    return () => {
      stop();
      if (--watchers === 0) clearInterval(timer);
    };
  },
};

/** Returns the current time in ms since 1970, to the second. */
export function useNow(): number {
  return useStore(ticking);
}

/** Returns a text that depends on the time. The component rerenders only if the text has changed. */
export function useTextAt(text: (now: number) => string): string {
  return useSyncExternalStore(ticking.subscribe, () => text(ticking.get()));
}

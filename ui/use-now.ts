import { useSyncExternalStore } from "react";
import { createStore, useStore } from "./store.ts";

/** One clock for all ages on the page; ticks every second while a component uses it. */
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

/** Now, in ms since 1970, to the second. */
export function useNow(): number {
  return useStore(ticking);
}

/** A text that depends on the time; what shows it is drawn again only when the text has changed. */
export function useTextAt(text: (now: number) => string): string {
  return useSyncExternalStore(ticking.subscribe, () => text(ticking.get()));
}

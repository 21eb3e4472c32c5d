import type { HqNews } from "@comanda/protocol/headquarters.ts";
import { createStore } from "@comanda/ui/store.ts";
import { cache } from "./cache.ts";

type Topic = HqNews["changed"][number];

/** The routes that the page reads again after an event on a topic. */
const readBy: Readonly<Record<Topic, readonly string[]>> = {
  now: ["now", "restaurant"],
  sales: ["sales"],
  alerts: ["alerts", "now", "restaurant"],
  proposals: ["proposals", "proposal", "products"],
};
/** Sales are read again at most this often, because they change with each check. */
const SALES_MS = 5_000;
const RETRY_MS = 3_000;
/** A stream without an event for this time is dead, because headquarters send one every 15 s. */
const SILENCE_MS = 40_000;

/** When the page got its last event from headquarters, ms since 1970; null while it gets events. */
export const disconnectedSince = createStore<number | null>(null);

/** Reads data again when headquarters report a change. Returns a function that stops this. */
export function followNews(): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let salesAt = 0;
  let heardAt = Date.now();

  function open(): void {
    source?.close();
    source = new EventSource("./hq/v1/events");
    watchSilence();
    source.addEventListener("alive", hear);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const { changed } = JSON.parse(data) as HqNews;
      // The first event of a connection is empty: what happened before it is unknown.
      if (changed.length === 0) void cache.invalidateQueries();
      hear();
      for (const topic of changed) readAgain(topic);
    };
    source.onerror = () => {
      markLost();
      // The browser reconnects by itself unless it was refused.
      if (source?.readyState !== EventSource.CLOSED) return;
      void cache.refetchQueries({ queryKey: ["session"] });
      clearTimeout(retry);
      retry = setTimeout(open, RETRY_MS);
    };
  }

  function hear(): void {
    heardAt = Date.now();
    disconnectedSince.set(null);
    watchSilence();
  }

  function markLost(): void {
    disconnectedSince.set(heardAt);
  }

  /** A line that is cut without a word, as when Wi-Fi is lost, causes no error. */
  function watchSilence(): void {
    clearTimeout(retry);
    retry = setTimeout(() => {
      markLost();
      open();
    }, SILENCE_MS);
  }

  function readAgain(topic: Topic): void {
    if (topic === "sales") {
      if (Date.now() - salesAt < SALES_MS) return;
      salesAt = Date.now();
    }
    for (const name of readBy[topic]) void cache.invalidateQueries({ queryKey: [name] });
  }

  open();
  return () => {
    source?.close();
    clearTimeout(retry);
    disconnectedSince.set(null);
  };
}

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

/** Since when the page gets no events from headquarters, ms since 1970; null while it does. */
export const disconnectedSince = createStore<number | null>(null);

/** Reads data again when headquarters report a change. Returns a function that stops this. */
export function followNews(): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let salesAt = 0;

  function open(): void {
    source = new EventSource("./hq/v1/events");
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const { changed } = JSON.parse(data) as HqNews;
      // The first event of a connection is empty: what happened before it is unknown.
      if (changed.length === 0) void cache.invalidateQueries();
      disconnectedSince.set(null);
      for (const topic of changed) readAgain(topic);
    };
    source.onerror = () => {
      if (disconnectedSince.get() === null) disconnectedSince.set(Date.now());
      // The browser reconnects by itself unless it was refused.
      if (source?.readyState !== EventSource.CLOSED) return;
      void cache.refetchQueries({ queryKey: ["session"] });
      retry = setTimeout(open, RETRY_MS);
    };
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

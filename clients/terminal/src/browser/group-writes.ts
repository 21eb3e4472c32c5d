/// <reference lib="dom" />

type Write = (store: IDBObjectStore) => void;

/** A hidden page paints nothing, so no write waits longer than this. */
const MAX_MS = 100;

/**
 * Batches writes until the page has painted the change, or is hidden, and makes them in one transaction: a tap is shown before
 * it is stored, and stored before it is sent. The promise settles with the transaction.
 */
export function groupWrites(write: (act: Write) => Promise<void>): (act: Write) => Promise<void> {
  let acts: Write[] = [];
  let group: PromiseWithResolvers<void> | null = null;
  if (isPage) addEventListener("pagehide", flush);

  return (act) => {
    acts.push(act);
    if (group === null) {
      group = Promise.withResolvers();
      afterPaint(flush);
    }
    return group.promise;
  };

  function flush(): void {
    if (group === null) return;
    const all = acts;
    const written = write((store) => {
      for (const act of all) act(store);
    });
    group.resolve(written);
    acts = [];
    group = null;
  }
}

/** False in a worker, which paints nothing. */
const isPage = typeof document !== "undefined";

/** Calls back once, after the next paint. */
function afterPaint(callback: () => void): void {
  let timer = setTimeout(callback, isPage ? MAX_MS : 0);
  if (!isPage) return;
  requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(callback);
  });
}

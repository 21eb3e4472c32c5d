import type { TerminalWorld } from "../../world.ts";
import { UnsavedError, type OutboxStorage } from "./outbox-storage.ts";
import type { Slot } from "./slot.ts";

/** How long a write may take. */
const WRITE_MS = 5_000;
/** How long after a failed write it is tried again. */
const REWRITE_MS = 10_000;

export type OutboxWrites = ReturnType<typeof createOutboxWrites>;

/** The outbox as it is stored. What is done is done, whatever the storage says: it is written again until it succeeds. */
export function createOutboxWrites(deps: {
  storage: OutboxStorage;
  timers: TerminalWorld["timers"];
  slots: () => readonly Slot[];
  /** The storage failed (UnsavedError, with its cause), or works again (null). */
  changed: (failure: UnsavedError | null) => void;
}) {
  const { storage, timers, slots, changed } = deps;
  const open = new Set<Promise<unknown>>();
  let isClosed = false;
  let cancelRewrite = () => {};

  return {
    save,
    /** Writes the entry as it is now, without anybody who waits for it. */
    keep(slot: Slot): void {
      save(slot).catch(() => {});
    },
    /** Stores that it was answered, for a reload before it is erased. Where that fails it only counts as unsent until then. */
    keepAnswered({ entry }: Slot): void {
      track(storage.put({ ...entry, isAnswered: true })).catch(() => {});
    },
    erase({ entry }: Slot): void {
      track(storage.remove(entry.id)).catch(failed);
    },
    remove: (id: string): Promise<void> => track(storage.remove(id)),
    /** Waits for writes in progress, then closes the storage. */
    async close(): Promise<void> {
      isClosed = true;
      cancelRewrite();
      await Promise.allSettled(open);
      await storage.close();
    },
  };

  /** Writes the entry as it is now. Rejects when it could not be written. */
  async function save(slot: Slot): Promise<void> {
    try {
      await put(slot);
    } catch (error) {
      failed(error);
      throw error;
    }
  }

  function put(slot: Slot): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (error: unknown) => {
      cancel();
      slot.unsaved = true;
      reject(error);
    };
    // A storage that never answers must not keep a mutation from the hub.
    const cancel = timers.after(WRITE_MS, () => fail(new Error("the storage does not answer")));
    track(storage.put(slot.entry)).then(() => {
      cancel();
      slot.unsaved = false;
      resolve();
    }, fail);
    return promise;
  }

  function failed(cause: unknown): void {
    changed(new UnsavedError(cause));
    if (isClosed) return;
    cancelRewrite();
    cancelRewrite = timers.after(REWRITE_MS, () => void rewrite());
  }

  async function rewrite(): Promise<void> {
    try {
      for (const slot of slots()) if (slot.unsaved && slot.answer === null) await put(slot);
      changed(null);
    } catch (error) {
      failed(error);
    }
  }

  /** Keeps hold of a write until it is done, so that `close` waits for it. */
  function track<T>(write: Promise<T>): Promise<T> {
    open.add(write);
    const forget = () => void open.delete(write);
    write.then(forget, forget);
    return write;
  }
}

import type { TerminalWorld } from "../../world.ts";
import { UnsavedError, type OutboxStorage } from "./outbox-storage.ts";
import type { Slot } from "./slot.ts";

/** Timeout of a write, in ms. */
const WRITE_MS = 5_000;
/** Delay before a failed write is retried, in ms. */
const REWRITE_MS = 10_000;

export type OutboxWrites = ReturnType<typeof createOutboxWrites>;

/** Writes the outbox to its storage. Mutations stay in effect if a write fails, and the write is retried until it succeeds. */
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
    /** Writes the entry in its current state, in the background. */
    keep(slot: Slot): void {
      save(slot).catch(() => {});
    },
    /** Stores that the mutation was answered. If that fails, it counts as unsent after a reload until it is erased. */
    keepAnswered({ entry }: Slot): void {
      track(storage.put({ ...entry, isAnswered: true })).catch(() => {});
    },
    erase({ entry }: Slot): void {
      track(storage.remove(entry.id)).catch(failed);
    },
    remove: (id: string): Promise<void> => track(storage.remove(id)),
    /** Waits for pending writes, then closes the storage. */
    async close(): Promise<void> {
      isClosed = true;
      cancelRewrite();
      await Promise.allSettled(open);
      await storage.close();
    },
  };

  /** Writes the entry in its current state. Rejects if the write fails. */
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
    // A storage that does not respond must not keep a mutation from the hub.
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

  /** Registers a pending write, so that `close` waits for it. */
  function track<T>(write: Promise<T>): Promise<T> {
    open.add(write);
    const forget = () => void open.delete(write);
    write.then(forget, forget);
    return write;
  }
}

import type { Db } from "../db/open.ts";
import { asStorageError, Refusal } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import type { Change, Listener, Recorder, Tx } from "./change.ts";

/** Rejects a promise type at compile time, because nothing may be awaited between reading and writing. */
export type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

export type ChangeLog = ReturnType<typeof createChangeLog>;

interface Group {
  changes: Change[];
  undos: (() => void)[];
  seqBefore: number;
  committed: Promise<void>;
  commit(): void;
  fail(error: unknown): void;
}

/** Prepares the SQL of a commit group: a transaction in which each write is a savepoint. */
function prepareTransaction(db: Db) {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const savepoint = db.prepare("SAVEPOINT command");
  const release = db.prepare("RELEASE command");
  const rollbackToSavepoint = db.prepare("ROLLBACK TO command");
  const saveSeq = db.prepare<[number]>("UPDATE hub_state SET seq = ?");
  const readSeq = db.prepare<[], { seq: number }>("SELECT seq FROM hub_state");

  return {
    readSeq: (): number => readSeq.get()?.seq ?? 0,
    begin(): void {
      try {
        begin.run();
      } catch (error) {
        throw asStorageError(error);
      }
    },
    /** Commits the transaction; `seq` is null if it has not changed. */
    commit(seq: number | null): void {
      if (seq !== null) saveSeq.run(seq);
      commit.run();
    },
    rollback(): void {
      if (db.inTransaction) rollback.run();
    },
    save: (): void => void savepoint.run(),
    release: (): void => void release.run(),
    undo(): void {
      rollbackToSavepoint.run();
      release.run();
    },
  };
}

function createReaders(isIdle: () => boolean) {
  const waiting: (() => void)[] = [];
  return {
    /**
     * Runs `work` when every row is durable and announced: immediately, or when the open group ends, before any later
     * write.
     */
    read<T>(work: () => Synchronous<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const run = (): void => {
          try {
            resolve(work());
          } catch (error) {
            reject(error);
          }
        };
        if (isIdle()) run();
        else waiting.push(run);
      });
    },
    /** Runs what waits, until one of them or a listener has opened the next group: the rest waits for that. */
    run(): void {
      while (isIdle()) {
        const next = waiting.shift();
        if (next === undefined) return;
        next();
      }
    },
  };
}

/** Runs the undo functions in reverse order. */
function undo(undos: (() => void)[]): void {
  for (const each of undos.toReversed()) each();
}

/**
 * Creates the log through which all writes go. Each write is a savepoint in a transaction that stays open until the end
 * of the current turn of the event loop, so that writes that arrive together share one fsync.
 */
export function createChangeLog(db: Db, world: World) {
  const transaction = prepareTransaction(db);
  const recorders: Recorder[] = [];
  const listeners: Listener[] = [];
  const undoListeners: (() => void)[] = [];
  const readers = createReaders(() => group === null);
  let seq = transaction.readSeq();
  let group: Group | null = null;

  function openGroup(): Group {
    transaction.begin();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Every writer awaits this promise; the group itself does not.
    promise.catch(() => {});
    world.timers.setImmediate(() => closeGroup(opened));
    const opened: Group = { changes: [], undos: [], seqBefore: seq, committed: promise, commit: resolve, fail: reject };
    return opened;
  }

  function closeGroup(closing: Group): void {
    if (group !== closing) return;
    try {
      transaction.commit(seq === closing.seqBefore ? null : seq);
    } catch (error) {
      abandon(closing, error);
      return;
    }
    group = null;
    for (const listener of listeners) {
      try {
        listener(closing.changes);
      } catch (error) {
        world.log.error({ err: error }, "a listener failed");
      }
    }
    // Readers first, because their callers must continue before a writer's next write.
    readers.run();
    closing.commit();
  }

  function abandon(failed: Group, error: unknown): void {
    transaction.rollback();
    group = null;
    seq = failed.seqBefore;
    world.log.error({ err: error, lost: failed.changes.length }, "a commit failed; nothing of it was acknowledged");
    undo(failed.undos);
    for (const listener of undoListeners) listener();
    readers.run();
    failed.fail(asStorageError(error));
  }

  function runIn(current: Group, work: (tx: Tx) => unknown): unknown {
    const seqBefore = seq;
    const changesBefore = current.changes.length;
    const undosBefore = current.undos.length;
    transaction.save();
    const tx: Tx = {
      now: world.clock.now(),
      firstSeq: seq + 1,
      nextSeq: () => ++seq,
      emit(change) {
        for (const recorder of recorders) recorder(change, tx);
        current.changes.push(change);
      },
      onUndo: (each) => void current.undos.push(each),
      notify: (topics, feed) => tx.emit({ kind: "notice", notice: { topics, ...(feed && { feed }) } }),
    };
    try {
      const result = work(tx);
      transaction.release();
      return result;
    } catch (error) {
      try {
        transaction.undo();
      } catch (failure) {
        // SQLite has rolled back the whole transaction (disk full), or cannot undo a part of it: the group has failed.
        abandon(current, error instanceof Refusal ? failure : error);
        throw asStorageError(error);
      }
      seq = seqBefore;
      current.changes.length = changesBefore;
      undo(current.undos.splice(undosBefore));
      // A refusal is thrown before anything changes. After other errors, memory may be ahead of the data file.
      if (!(error instanceof Refusal)) for (const listener of undoListeners) listener();
      throw asStorageError(error);
    }
  }

  /**
   * Runs `work` in one transaction and resolves with its result once it is durable. If `work` throws, only its own changes
   * are undone, and the promise rejects. Writes in the same turn of the event loop share a commit.
   */
  async function write<T>(work: (tx: Tx) => Synchronous<T>): Promise<T> {
    const current = (group ??= openGroup());
    try {
      return runIn(current, work) as T;
    } finally {
      // A refusal waits, too: it may be based on a write of this group whose commit fails.
      await current.committed;
    }
  }

  return {
    write,
    /** Resolves when everything stored so far is durable. To read it, use `read`: the next write may have begun already. */
    settled: (): Promise<void> => readers.read(() => {}),
    read: readers.read,
    addRecorder: (recorder: Recorder): void => void recorders.push(recorder),
    addListener: (listener: Listener): void => void listeners.push(listener),
    /** Adds a listener that drops cached state after writes were undone: when a commit or a write failed. */
    addUndoListener: (listener: () => void): void => void undoListeners.push(listener),
  };
}

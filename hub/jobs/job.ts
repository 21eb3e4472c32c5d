import type { Database } from "better-sqlite3";
import { openReadOnly } from "../db/open-read-only.ts";

/**
 * Long work for a worker thread, with its own read-only connections. It is a generator: yielded values are sent to the caller,
 * and yielding `undefined` only lets the thread's other jobs run. Input, chunks and result are copied between threads. A
 * cancelled job ends at its next `yield`.
 */
export interface Job<Input, Chunk, Result> {
  /** Unique name by which the thread finds it, listed in `hub/job-thread.ts`. */
  name: string;
  work: (input: Input) => Steps<Chunk, Result>;
}

type Steps<Chunk, Result> =
  | Generator<Chunk | undefined, Result, void>
  | AsyncGenerator<Chunk | undefined, Result, void>;

export function defineJob<Input, Chunk, Result>(
  name: string,
  work: (input: Input) => Steps<Chunk, Result>,
): Job<Input, Chunk, Result> {
  return { name, work };
}

/** Defines a job that reads a data file step by step. */
export function defineReading<Input extends { file: string }, Chunk, Result>(
  name: string,
  read: (db: Database, input: Input) => Generator<Chunk | undefined, Result, void>,
): Job<Input, Chunk, Result> {
  return defineJob(name, function* (input: Input) {
    // Shorter jobs requested earlier run first.
    yield;
    const db = openReadOnly(input.file);
    try {
      return yield* read(db, input);
    } finally {
      db.close();
    }
  });
}

/** Defines a job of a few queries that all see the same state of the data file. */
export function defineQuery<Input extends { file: string }, Result>(
  name: string,
  query: (db: Database, input: Input) => Result,
): Job<Input, undefined, Result> {
  // oxlint-disable-next-line require-yield
  return defineReading(name, function* (db, input: Input) {
    return db.transaction(() => query(db, input))();
  });
}

export type JobRequest =
  | { id: number; name: string; input: unknown }
  | { id: number; taken: true }
  | { id: number; cancel: true };

export type JobReply =
  | { id: number; chunk: unknown }
  | { id: number; result: unknown }
  | { id: number; error: { message: string; code: string | null } };

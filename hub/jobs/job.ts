import type { Database } from "better-sqlite3";
import { openReadOnly } from "../db/open-read-only.ts";

/**
 * Long work that a worker thread does, with read-only connections of its own. It is a generator: each value it yields is
 * sent to the caller, and `undefined` only gives other jobs of the thread a turn. Input, chunks and result are copied
 * between threads. A cancelled job ends at its next `yield`.
 */
export interface Job<Input, Chunk, Result> {
  /** By which the thread finds it: unique, and listed in `hub/job-thread.ts`. */
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

/** A job that reads a data file step by step. */
export function defineReading<Input extends { file: string }, Chunk, Result>(
  name: string,
  read: (db: Database, input: Input) => Generator<Chunk | undefined, Result, void>,
): Job<Input, Chunk, Result> {
  return defineJob(name, function* (input: Input) {
    // Shorter work that came before goes first.
    yield;
    const db = openReadOnly(input.file);
    try {
      return yield* read(db, input);
    } finally {
      db.close();
    }
  });
}

/** A job of a few queries, all of which see the data file as of one moment. */
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

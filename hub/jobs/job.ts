/**
 * Work that may take long, done by a thread of its own with a connection of its own that only reads. A job is a generator:
 * what it yields is sent on as it is made, and `undefined` only lets other jobs of its thread have their turn. Whatever
 * goes in and comes out is copied between threads. A job that is cancelled ends at its next `yield`.
 */
export type Job<Input, Chunk, Result> = (
  input: Input,
) => Generator<Chunk | undefined, Result, void> | AsyncGenerator<Chunk | undefined, Result, void>;

export type JobRequest =
  | { id: number; name: string; input: unknown }
  | { id: number; taken: true }
  | { id: number; cancel: true };

export type JobReply =
  | { id: number; chunk: unknown }
  | { id: number; result: unknown }
  | { id: number; error: { message: string; code: string | null } };

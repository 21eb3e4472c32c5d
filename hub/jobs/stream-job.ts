import { Readable } from "node:stream";
import type { Jobs, ResultOf, StreamJobName, InputOf } from "./jobs.ts";

/**
 * A job whose text or bytes are sent as they are made: the job waits while nobody reads, and is cancelled when the stream is destroyed.
 * An error destroys the stream, so that half of it is never taken for the whole.
 */
export function streamJob<N extends StreamJobName>(jobs: Jobs, name: N, input: InputOf<N>) {
  const wanted = new AbortController();
  const begun = Promise.withResolvers<Readable>();
  let readOn = (): void => undefined;
  const stream = new Readable({
    read: () => readOn(),
    destroy(error, done) {
      wanted.abort();
      done(error);
    },
  });
  // A job may fail before its reader listens; the reader finds the stream destroyed.
  stream.on("error", () => undefined);

  async function run(): Promise<ResultOf<N> | null> {
    try {
      const result = await jobs.query(name, input, {
        signal: wanted.signal,
        onChunk(text) {
          const isRead = stream.push(text);
          begun.resolve(stream);
          return isRead ? undefined : new Promise((resolve) => (readOn = resolve));
        },
      });
      stream.push(null);
      return result;
    } catch (error) {
      begun.reject(error);
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  }

  return {
    /** The stream, once there is something to read; rejects when the job failed before. */
    begun: begun.promise,
    /** What the job found; null when it failed or was given up. Never rejects. */
    ended: run(),
  };
}

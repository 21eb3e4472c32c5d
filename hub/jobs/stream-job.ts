import { Readable } from "node:stream";
import type { Job } from "./job.ts";
import type { Jobs } from "./jobs.ts";

/**
 * Streams the text or bytes that a job yields: the job waits while nothing reads, and is cancelled when the stream is
 * destroyed. An error destroys the stream, so that half of it is never taken for the whole.
 */
export function streamJob<I, R>(jobs: Jobs, job: Job<I, string | Uint8Array, R>, input: I) {
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

  async function run(): Promise<R | null> {
    try {
      const result = await jobs.query(job, input, {
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

import { Readable } from "node:stream";
import type { Job } from "./job.ts";
import type { Jobs } from "./jobs.ts";

/**
 * Streams a job's text or bytes. The job waits while nothing reads, and is cancelled when the stream is destroyed. An error
 * destroys the stream, so that a partial result is never taken for a complete one.
 */
export function streamJob<I, R>(jobs: Jobs, job: Job<I, string | Uint8Array, R>, input: I) {
  const controller = new AbortController();
  const started = Promise.withResolvers<Readable>();
  let readOn = (): void => undefined;
  const stream = new Readable({
    read: () => readOn(),
    destroy(error, done) {
      controller.abort();
      done(error);
    },
  });
  // A job may fail before its reader listens. The reader then finds the stream destroyed.
  stream.on("error", () => undefined);

  async function run(): Promise<R | null> {
    try {
      const result = await jobs.query(job, input, {
        signal: controller.signal,
        onChunk(text) {
          const isRead = stream.push(text);
          started.resolve(stream);
          return isRead ? undefined : new Promise((resolve) => (readOn = resolve));
        },
      });
      stream.push(null);
      return result;
    } catch (error) {
      started.reject(error);
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  }

  return {
    /** Resolves to the stream once there is something to read. Rejects if the job failed before. */
    started: started.promise,
    /** Resolves to the job's result, or null if it failed or was cancelled. Never rejects. */
    ended: run(),
  };
}

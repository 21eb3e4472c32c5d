import { Worker } from "node:worker_threads";
import { jobThreadFile } from "../platform/paths.ts";
import type { World } from "../platform/world.ts";
import type { Job, JobReply, JobRequest } from "./job.ts";

export type Jobs = ReturnType<typeof createJobs>;

/** A job that exceeds this fails without ending the hub. */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 512 };
/** How long the shared thread waits for its next job. */
const IDLE_MS = 60_000;

export interface JobOptions<Chunk> {
  /** Called with each chunk that the job yields. The job waits for it. */
  onChunk?: (chunk: Chunk) => void | Promise<void>;
  /** Cancels the job at its next step; its promise then rejects with a JobCancelled. */
  signal?: AbortSignal;
}

/** The job was cancelled by its caller, or because the hub stops. */
export class JobCancelled extends Error {
  override readonly name = "JobCancelled";
}

interface Open {
  take(chunk: unknown): void;
  done(result: unknown): void;
  fail(error: Error): void;
  cancel(): void;
}

/**
 * Runs jobs in worker threads, so that they do not block the service. `onFailure` receives every job error, with SQLite's code
 * if it has one.
 */
export function createJobs(deps: { world: World; onFailure: (error: Error) => void }) {
  const { world, onFailure } = deps;
  const threads = new Set<Thread>();
  const underWay = new Set<Promise<unknown>>();
  let isStopping = false;
  let shared: Thread | null = null;

  class Thread {
    readonly open = new Map<number, Open>();
    readonly worker = new Worker(jobThreadFile, { resourceLimits: MEMORY });
    idle: NodeJS.Timeout | undefined;
    lastId = 0;

    constructor() {
      threads.add(this);
      // The thread does not keep the process alive. `stop` waits for it, see below.
      this.worker.unref();
      this.worker.on("message", (reply: JobReply) => {
        const job = this.open.get(reply.id);
        if ("chunk" in reply) job?.take(reply.chunk);
        else if ("result" in reply) job?.done(reply.result);
        else job?.fail(asError(reply.error));
      });
      this.worker.on("error", (error) => this.failAll(error));
      this.worker.on("exit", () => {
        this.failAll(new Error("the thread of a job has ended"));
        threads.delete(this);
        if (shared === this) shared = null;
      });
    }

    failAll(error: Error): void {
      for (const job of this.open.values()) job.fail(error);
    }

    post(request: JobRequest): void {
      this.worker.postMessage(request);
    }

    run<I, C, R>({ name }: Job<I, C, R>, input: I, { onChunk, signal }: JobOptions<C>): Promise<R> {
      world.timers.clearTimeout(this.idle);
      this.lastId += 1;
      const id = this.lastId;
      const { promise, resolve, reject } = Promise.withResolvers<R>();
      const cancel = (): void => this.post({ id, cancel: true });
      const end = (): void => {
        this.open.delete(id);
        underWay.delete(promise);
        signal?.removeEventListener("abort", cancel);
      };
      underWay.add(promise);
      this.open.set(id, {
        take: (chunk) => {
          Promise.resolve(chunk as C)
            .then(onChunk)
            .then(() => this.post({ id, taken: true }), cancel);
        },
        done(result) {
          end();
          resolve(result as R);
        },
        fail(error) {
          end();
          if (!(error instanceof JobCancelled)) onFailure(error);
          reject(error);
        },
        cancel,
      });
      signal?.addEventListener("abort", cancel);
      this.post({ id, name, input });
      return promise;
    }

    async end(): Promise<void> {
      world.timers.clearTimeout(this.idle);
      await this.worker.terminate();
    }
  }

  return {
    /** Runs a short job in the shared thread. */
    async query<I, C, R>(job: Job<I, C, R>, input: I, options: JobOptions<C> = {}): Promise<R> {
      requireNotAborted(isStopping, options);
      const thread = (shared ??= new Thread());
      try {
        return await thread.run(job, input, options);
      } finally {
        if (thread.open.size === 0) {
          thread.idle = world.timers.setTimeout(() => {
            if (shared === thread) shared = null;
            void thread.end();
          }, IDLE_MS);
        }
      }
    },

    /** Runs a job of seconds or minutes in its own thread. */
    async run<I, C, R>(job: Job<I, C, R>, input: I, options: JobOptions<C> = {}): Promise<R> {
      requireNotAborted(isStopping, options);
      const thread = new Thread();
      try {
        return await thread.run(job, input, options);
      } finally {
        await thread.end();
      }
    },

    /** Whether a job may be reading the data file now. */
    isReading: (): boolean => [...threads].some((thread) => thread.open.size > 0),

    /** Cancels running jobs. Resolves when no thread reads the data file any more. */
    async stop(): Promise<void> {
      isStopping = true;
      for (const thread of threads) for (const job of thread.open.values()) job.cancel();
      await Promise.allSettled(underWay);
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

function asError({ message, code }: { message: string; code: string | null }): Error {
  return code === "CANCELLED"
    ? new JobCancelled(message)
    : Object.assign(new Error(message), { code: code ?? undefined });
}

/** Throws if the job is no longer wanted: a thread started while the hub stops would keep the data file open. */
function requireNotAborted(isStopping: boolean, { signal }: { signal?: AbortSignal | undefined }): void {
  if (isStopping || signal?.aborted === true) throw new JobCancelled("the job is not wanted any more");
}

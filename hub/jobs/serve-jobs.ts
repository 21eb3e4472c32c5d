import { setImmediate as nextTurn } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { messageOf } from "../platform/error-facts.ts";
import type { Job, JobReply, JobRequest } from "./job.ts";

interface Running {
  isCancelled: boolean;
  /** Called when the caller has taken the last chunk, or cancels. */
  resume: () => void;
}

/**
 * Runs in a worker thread and interleaves the requested jobs, each as fast as its chunks are taken. `jobs` loads a job by its
 * name.
 */
export function serveJobs(jobs: Readonly<Record<string, () => Promise<Job<never, unknown, unknown>>>>): void {
  const running = new Map<number, Running>();

  function reply(message: JobReply): void {
    parentPort?.postMessage(message);
  }

  async function run(id: number, name: string, input: unknown): Promise<void> {
    const state: Running = { isCancelled: false, resume: () => undefined };
    running.set(id, state);
    try {
      const job = await jobs[name]?.();
      if (job === undefined) throw new Error(`there is no job ${name}`);
      const steps = job.work(input as never);
      for (;;) {
        const step = await steps.next();
        if (step.done === true) {
          reply({ id, result: step.value });
          return;
        }
        if (step.value === undefined) {
          await nextTurn();
        } else {
          const consumed = new Promise<void>((resolve) => (state.resume = resolve));
          reply({ id, chunk: step.value });
          await consumed;
        }
        if (state.isCancelled) {
          await steps.return(undefined);
          throw Object.assign(new Error(`the job ${name} was cancelled`), { code: "CANCELLED" });
        }
      }
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : null;
      reply({ id, error: { message: messageOf(error), code } });
    } finally {
      running.delete(id);
    }
  }

  parentPort?.on("message", (request: JobRequest) => {
    if ("name" in request) {
      void run(request.id, request.name, request.input);
      return;
    }
    const job = running.get(request.id);
    if (job === undefined) return;
    if ("cancel" in request) job.isCancelled = true;
    job.resume();
  });
}

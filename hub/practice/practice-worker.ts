import { Worker } from "node:worker_threads";
import { practiceThreadFile } from "../platform/paths.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import type { PracticeEvent, PracticeInput, PracticeOrder } from "./practice-messages.ts";

/** A practice that exceeds this ends alone, without ending the hub. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 3_000;

/** The thread of a practice whose hub is listening. */
export interface PracticeWorker {
  worker: Worker;
  port: number;
}

/** Starts the thread of a practice. Resolves with null if it fails or its hub does not listen in time. */
export async function startPracticeWorker(
  world: World,
  input: PracticeInput,
  events: {
    /** A person was active. */
    active(): void;
    /** The data file has grown too large. */
    full(): void;
    exited(worker: Worker): void;
  },
): Promise<PracticeWorker | null> {
  const worker = new Worker(practiceThreadFile, { workerData: input, resourceLimits: MEMORY });
  // Does not keep a hub's process alive; an orderly stop waits for the thread.
  worker.unref();
  const { promise: ready, resolve, reject } = Promise.withResolvers<number>();
  worker.on("message", (event: PracticeEvent) => {
    if (event.type === "ready") resolve(event.port);
    else if (event.type === "active") events.active();
    else events.full();
  });
  worker.on("error", (error) => {
    world.log.error({ err: error }, "the practice failed");
    reject(error);
  });
  worker.on("exit", () => {
    reject(new Error("the practice has ended"));
    events.exited(worker);
  });
  if (await withTimeout(world, START_WITHIN_MS, ready)) return { worker, port: await ready };
  await endPracticeWorker(world, worker);
  return null;
}

/** Stops the hub of a practice; terminates the thread if that takes too long. */
export async function endPracticeWorker(world: World, worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.postMessage({ type: "stop" } satisfies PracticeOrder);
  const hasEnded = await withTimeout(world, STOP_WITHIN_MS, ended);
  if (!hasEnded) await worker.terminate();
}

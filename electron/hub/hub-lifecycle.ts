import type { DesktopHubState } from "@comanda/protocol";
import { createQueue } from "./queue.ts";

/** The part of @comanda/hub's `Hub` that the app needs. */
export interface RunningHub {
  start: () => Promise<{ port: number }>;
  stop: () => Promise<void>;
}

export type HubFailure = Extract<DesktopHubState, { state: "failed" }>;

/**
 * Runs one hub inside the app. `build` may throw (bad settings, data file). `classify` turns a failure into a state. `host` is
 * this machine's address for the hub. `retryAfterMs` returns the delay before an automatic retry.
 */
export function createHubLifecycle<H extends RunningHub>(
  build: () => H,
  classify: (error: unknown) => Promise<HubFailure>,
  host: () => string = () => "127.0.0.1",
  retryAfterMs: (error: unknown) => number | null = () => null,
) {
  const enqueue = createQueue();
  const listeners: ((state: DesktopHubState) => void)[] = [];
  let state: DesktopHubState = { state: "starting" };
  let hub: H | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let retryMs: number | null = null;

  const setState = (next: DesktopHubState) => {
    state = next;
    for (const listener of listeners) listener(next);
    return next;
  };

  /** Schedules a start after `waitMs`, or none if null. */
  const planRetry = (waitMs: number | null) => {
    clearTimeout(retryTimer);
    retryMs = waitMs;
    if (waitMs !== null) retryTimer = setTimeout(() => void enqueue(start), waitMs).unref();
  };

  const start = async (): Promise<DesktopHubState> => {
    planRetry(null);
    if (hub !== undefined) return state;
    let built: H | undefined;
    try {
      built = build();
      const { port } = await built.start();
      hub = built;
      return setState({ state: "running", url: `http://${host()}:${port}/`, port });
    } catch (error) {
      await built?.stop().catch(() => undefined);
      planRetry(retryAfterMs(error));
      return setState(await classify(error));
    }
  };

  const stop = async () => {
    planRetry(null);
    if (hub === undefined) return;
    const stopping = hub;
    hub = undefined;
    setState({ state: "restarting" });
    await stopping.stop();
  };

  const restartAround = (work: () => Promise<void> | void) =>
    enqueue(async () => {
      const planned = retryMs;
      try {
        await stop();
        await work();
      } catch (error) {
        // A failure that was being retried before may still pass.
        planRetry(planned);
        // Another process may still hold the data file: a person sees why and tries again.
        return setState(await classify(error));
      }
      return start();
    });

  return {
    state: (): DesktopHubState => state,
    /** The hub while it runs. */
    running: (): H | undefined => hub,
    /** Starts the hub unless it runs and resolves to its state. Never rejects: a failure is a state. */
    start: () => enqueue(start),
    /** Stops the hub if it runs, then starts it with the current settings. */
    restart: () => restartAround(() => undefined),
    /** Stops the hub, runs `work` while nothing holds the data file, and starts the hub again. Never rejects. */
    restartAround,
    /** Resolves when the hub has stopped cleanly. */
    stop: () => enqueue(stop),
    onChange: (listener: (state: DesktopHubState) => void) => void listeners.push(listener),
  };
}

import type { DesktopHubState } from "@comanda/protocol";
import { createQueue } from "./queue.ts";

/** What the app needs of a hub; `Hub` of @comanda/hub is one. */
export interface RunningHub {
  start: () => Promise<{ port: number }>;
  stop: () => Promise<void>;
}

export type HubFailure = Extract<DesktopHubState, { state: "failed" }>;

export interface HubLifecycle<H extends RunningHub> {
  state: () => DesktopHubState;
  /** The hub while it runs. */
  running: () => H | undefined;
  /** Starts it, or answers how it stands when it runs already; never rejects, a failure is a state. */
  start: () => Promise<DesktopHubState>;
  /** Stops it when it runs and starts it with the settings of now. */
  restart: () => Promise<DesktopHubState>;
  /** Stops it, does `work` while nothing holds the data file, and starts it again. */
  restartAround: (work: () => Promise<void> | void) => Promise<DesktopHubState>;
  /** Ends when the hub has stopped cleanly. */
  stop: () => Promise<void>;
  onChange: (listener: (state: DesktopHubState) => void) => void;
}

/**
 * Runs one hub inside the app. `build` may throw (bad settings, data file); `explain` puts any failure into words and
 * offers; `host` is where this machine reaches it.
 */
export function createHubLifecycle<H extends RunningHub>(
  build: () => H,
  explain: (error: unknown) => Promise<HubFailure>,
  host: () => string = () => "127.0.0.1",
): HubLifecycle<H> {
  const serially = createQueue();
  const listeners: ((state: DesktopHubState) => void)[] = [];
  let state: DesktopHubState = { state: "starting" };
  let hub: H | undefined;

  const become = (next: DesktopHubState) => {
    state = next;
    for (const listener of listeners) listener(next);
    return next;
  };

  const start = async (): Promise<DesktopHubState> => {
    if (hub !== undefined) return state;
    let built: H | undefined;
    try {
      built = build();
      const { port } = await built.start();
      hub = built;
      return become({ state: "running", url: `http://${host()}:${port}/`, port });
    } catch (error) {
      await built?.stop().catch(() => undefined);
      return become(await explain(error));
    }
  };

  const stop = async () => {
    if (hub === undefined) return;
    const stopping = hub;
    hub = undefined;
    become({ state: "restarting" });
    await stopping.stop();
  };

  const restartAround = (work: () => Promise<void> | void) =>
    serially(async () => {
      await stop();
      await work();
      return start();
    });

  return {
    state: () => state,
    running: () => hub,
    start: () => serially(start),
    restart: () => restartAround(() => undefined),
    restartAround,
    stop: () => serially(stop),
    onChange: (listener) => void listeners.push(listener),
  };
}

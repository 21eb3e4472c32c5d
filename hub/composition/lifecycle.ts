import type { World } from "../platform/world.ts";

/** A part of the hub that can be started and stopped. */
export interface Part {
  start?(): Promise<unknown> | void;
  stop?(): Promise<unknown> | void;
}

/** When a part starts: `work` starts once the hub listens and its address is known. */
export type ListedPart = { part: Part; at: "start" | "work" };

/** Starts the parts in list order and stops them in reverse. */
export function createLifecycle(world: World, parts: readonly ListedPart[]) {
  let isStopping = false;

  return {
    async start(): Promise<void> {
      for (const { part, at } of parts) if (at === "start") await part.start?.();
      world.timers.setImmediate(() => {
        if (isStopping) return;
        for (const { part, at } of parts) if (at === "work") void part.start?.();
      });
    },

    async stop(): Promise<void> {
      isStopping = true;
      for (const { part } of parts.toReversed()) {
        try {
          await part.stop?.();
        } catch (error) {
          // For example on a full disk: the other parts must still stop.
          world.log.error({ err: error }, "a part of the hub did not stop cleanly");
        }
      }
    },
  };
}

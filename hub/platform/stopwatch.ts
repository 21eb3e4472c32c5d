import type { World } from "./world.ts";

/** Returns a function that returns the time since its creation, in whole milliseconds. */
export function createStopwatch({ clock }: Pick<World, "clock">): () => number {
  const started = clock.monotonic();
  return () => Math.round(clock.monotonic() - started);
}

import type { World } from "./world.ts";

/** Answers, each time it is called, how long ago it was created, in whole milliseconds. */
export function createStopwatch({ clock }: Pick<World, "clock">): () => number {
  const started = clock.monotonic();
  return () => Math.round(clock.monotonic() - started);
}

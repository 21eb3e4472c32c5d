import type { World } from "./world.ts";

/** Waits for `work`, at most `ms`. Resolves with false if it took longer or failed; `work` continues anyway. */
export async function withTimeout(world: World, ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = world.timers.setTimeout(() => resolve(false), ms);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([done, tooLate]);
  } finally {
    world.timers.clearTimeout(timer);
  }
}

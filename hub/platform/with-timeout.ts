import type { World } from "./world.ts";

/** Waits for `work`, at most `ms`; false when it took longer or failed, whatever becomes of it later. */
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

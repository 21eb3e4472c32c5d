import type { Logger } from "pino";

/** What headquarters take from outside besides files, sockets and the database; tests replace the clock. */
export interface World {
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
}

export function realWorld(log: Logger): World {
  return { now: () => Date.now(), log };
}

/** The same world for one part: its log lines bear its name. */
export function withComponent(world: World, component: string): World {
  return { ...world, log: world.log.child({ component }) };
}

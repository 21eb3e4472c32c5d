import type { Logger } from "pino";

/** What headquarters need from outside besides files, sockets and the database. Tests replace the clock. */
export interface World {
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
}

export function realWorld(log: Logger): World {
  return { now: () => Date.now(), log };
}

/** Returns the same world with a logger that names a component. */
export function withComponent(world: World, component: string): World {
  return { ...world, log: world.log.child({ component }) };
}

import { backoffMs, reconnectBackoff } from "../pace/backoff.ts";
import type { TerminalWorld } from "../world.ts";

/** Reconnects after a delay that grows with each attempt, until it is reset. */
export function createReconnection(deps: {
  world: TerminalWorld;
  waits: (retryInMs: number, reason: string) => void;
  connect: () => void;
}) {
  const { world, waits, connect } = deps;
  let attempt = 0;
  let cancel = () => {};

  return {
    begin(reason: string): void {
      const retryInMs = backoffMs(reconnectBackoff, attempt, world.random());
      attempt += 1;
      waits(retryInMs, reason);
      cancel = world.timers.after(retryInMs, connect);
    },
    cancel: () => cancel(),
    startOver(): void {
      attempt = 0;
    },
  };
}

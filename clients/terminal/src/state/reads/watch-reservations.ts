import type { TerminalWorld } from "../../world.ts";
import type { Reservations } from "./read-reservations.ts";

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Reports the bookings on `refresh`, and whenever one enters another phase. */
export function watchReservations(deps: {
  timers: TerminalWorld["timers"];
  /** The hub's time in ms since 1970. */
  now: () => number;
  read: () => Reservations;
  changed: (reservations: Reservations) => void;
}): { refresh(): void; stop(): void } {
  let cancel = () => {};

  function refresh(): void {
    cancel();
    const reservations = deps.read();
    const { nextChangeAt } = reservations;
    if (nextChangeAt !== null) {
      const waitMs = Math.min(Math.max(nextChangeAt - deps.now(), 1), MAX_TIMER_MS);
      cancel = deps.timers.after(waitMs, refresh);
    }
    deps.changed(reservations);
  }

  return { refresh, stop: () => cancel() };
}

import { realWorld, type TerminalWorld } from "@comanda/terminal";

/** Returns a world whose timers take a tenth of their time, such as back-offs and heartbeats. */
export function fastTimerWorld(): TerminalWorld {
  const real = realWorld();
  return { ...real, timers: { after: (ms, work) => real.timers.after(ms / 10, work) } };
}

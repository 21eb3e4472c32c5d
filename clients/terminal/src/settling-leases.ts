import type { Terminal } from "./terminal-interface.ts";
import type { TerminalWorld } from "./world.ts";

/** A lease that is no longer needed is kept at most so long for what is on its way to the hub. */
const SETTLE_MS = 5_000;

/** Lets leases go of checks that were left, once the hub has everything that was made under them. */
export function createSettlingLeases(
  terminal: Pick<Terminal, "on" | "order" | "releaseLease">,
  timers: TerminalWorld["timers"],
) {
  const settling = new Map<string, () => void>();

  return {
    settle,
    release,
    has: (posReference: string): boolean => settling.has(posReference),
    /** It is edited again. */
    cancel: (posReference: string): void => settling.get(posReference)?.(),
  };

  /** Released while something of it waits, the next one's edits would come between. */
  function settle(posReference: string): void {
    const isSettled = () => (terminal.order(posReference)?.pending ?? 0) === 0;
    if (isSettled()) return release(posReference);
    const finish = () => {
      stop();
      release(posReference);
    };
    const off = terminal.on("orders", () => isSettled() && finish());
    const cancel = timers.after(SETTLE_MS, finish);
    const stop = () => {
      off();
      cancel();
      settling.delete(posReference);
    };
    settling.set(posReference, stop);
  }

  /** Where the hub does not hear of it, it ends with the grace of this terminal, or by its time. */
  function release(posReference: string): void {
    terminal.releaseLease(posReference).catch(() => {});
  }
}

import type { Terminal } from "./terminal-interface.ts";
import type { TerminalWorld } from "./world.ts";

/** Longest time that an unneeded lease is kept for changes in transit to the hub, in ms. */
const SETTLE_MS = 5_000;

/** Releases leases of checks that the user has left, once the hub has all changes made under them. */
export function createSettlingLeases(
  terminal: Pick<Terminal, "on" | "order" | "releaseLease">,
  timers: TerminalWorld["timers"],
) {
  const settling = new Map<string, () => void>();

  return {
    settle,
    release,
    has: (posReference: string): boolean => settling.has(posReference),
    /** Keeps the lease, because the check is edited again. */
    cancel: (posReference: string): void => settling.get(posReference)?.(),
  };

  /** Releases the lease after the pending changes. Earlier, the next holder's edits could come in between. */
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

  /** Releases a lease. If the hub does not receive it, the lease expires by time or after this terminal's grace period. */
  function release(posReference: string): void {
    terminal.releaseLease(posReference).catch(() => {});
  }
}

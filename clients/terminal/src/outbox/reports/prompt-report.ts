import type { OutboxReport } from "@comanda/protocol";
import type { TerminalWorld } from "../../world.ts";

/** What is sent and answered within this time needs no report of its own. */
const SETTLED_MS = 1_000;

/**
 * Tells the hub what waits as soon as that differs from the last report, without waiting for the next heartbeat: a page
 * may close before it, and the hub believes the last report until the device comes back.
 */
export function createPromptReport(deps: {
  world: TerminalWorld;
  isOnline: () => boolean;
  report: () => OutboxReport;
  /** Sends it with a heartbeat, which gets it from `tell`. */
  send: () => void;
}) {
  const { world, isOnline, report, send } = deps;
  let told = "";
  let cancel: (() => void) | null = null;

  function sendIfNew(): void {
    if (isOnline() && textOf(report()) !== told) send();
  }

  return {
    /** The report that is sent now, with a heartbeat or at a sign-in. */
    tell(): OutboxReport {
      const sent = report();
      told = textOf(sent);
      return sent;
    },
    /** To be called whenever the outbox may be different. */
    follow(): void {
      if (cancel !== null || !isOnline() || textOf(report()) === told) return;
      cancel = world.timers.after(SETTLED_MS, () => {
        cancel = null;
        sendIfNew();
      });
    },
    /** The page closes. */
    now(): void {
      cancel?.();
      cancel = null;
      sendIfNew();
    },
  };
}

function textOf({ pending, payments = 0, amount = 0 }: OutboxReport): string {
  return [pending, payments, amount].join(" ");
}

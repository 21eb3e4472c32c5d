import type { OutboxReport } from "@comanda/protocol";
import type { TerminalWorld } from "../../world.ts";

/** Mutations sent and answered within this time need no report of their own, in ms. */
const SETTLED_MS = 1_000;

/**
 * Reports the outbox to the hub as soon as it differs from the last report, without waiting for the next heartbeat. A page may
 * close before that, and the hub relies on the last report until the device returns.
 */
export function createPromptReport(deps: {
  world: TerminalWorld;
  isOnline: () => boolean;
  report: () => OutboxReport;
  /** Sends a heartbeat, which gets the report from `tell`. */
  send: () => void;
}) {
  const { world, isOnline, report, send } = deps;
  let reported = "";
  let cancel: (() => void) | null = null;

  function sendIfNew(): void {
    if (isOnline() && textOf(report()) !== reported) send();
  }

  return {
    /** Returns the report for a heartbeat or sign-in that is sent now. */
    tell(): OutboxReport {
      const sent = report();
      reported = textOf(sent);
      return sent;
    },
    /** Call whenever the outbox may have changed. */
    follow(): void {
      if (cancel !== null || !isOnline() || textOf(report()) === reported) return;
      cancel = world.timers.after(SETTLED_MS, () => {
        cancel = null;
        sendIfNew();
      });
    },
    /** Reports at once, because the page closes. */
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

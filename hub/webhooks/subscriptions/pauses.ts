import { MINUTE_MS, type WebhookError } from "@comanda/protocol";

/** The latest successes and failures of a receiver. */
export interface SubscriptionHealth {
  consecutiveFailures: number;
  lastSuccessAt: number | null;
  lastFailure: { at: number; status: number | null; error: WebhookError } | null;
}

/** So many failures in a row, as of two deliveries at all their attempts: the receiver is not there. */
export const SILENT_AFTER = 16;
const PAUSES_MS = [5_000, 30_000, 2 * MINUTE_MS, 5 * MINUTE_MS] as const;
const LONGEST_MS = 10 * MINUTE_MS;

/** Until when nothing new is tried with a receiver that has stopped answering (ms since 1970); null for all others. */
export function pausedUntil({ consecutiveFailures, lastFailure }: SubscriptionHealth, now: number): number | null {
  if (consecutiveFailures < SILENT_AFTER || lastFailure === null) return null;
  const pauseMs = PAUSES_MS[consecutiveFailures - SILENT_AFTER] ?? LONGEST_MS;
  // One that failed in the future was stamped before the clock was put back.
  return Math.min(lastFailure.at, now) + pauseMs;
}

/** Whether the last thing heard of a receiver is good: then it gets many deliveries at once. */
export function isTrusted({ consecutiveFailures, lastSuccessAt }: SubscriptionHealth): boolean {
  return consecutiveFailures === 0 && lastSuccessAt !== null;
}

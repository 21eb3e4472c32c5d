import { MINUTE_MS, type WebhookError } from "@comanda/protocol";

/** The latest success and failures of a receiver. */
export interface SubscriptionHealth {
  consecutiveFailures: number;
  lastSuccessAt: number | null;
  lastFailure: { at: number; status: number | null; error: WebhookError } | null;
}

/** After this many failures in a row (all attempts of two deliveries) a receiver counts as down. */
export const PAUSE_AFTER = 16;
const PAUSES_MS = [5_000, 30_000, 2 * MINUTE_MS, 5 * MINUTE_MS] as const;
const MAX_MS = 10 * MINUTE_MS;

/** Returns until when a receiver that is down gets no new deliveries (ms since 1970), or null if it is not paused. */
export function pausedUntil({ consecutiveFailures, lastFailure }: SubscriptionHealth, now: number): number | null {
  if (consecutiveFailures < PAUSE_AFTER || lastFailure === null) return null;
  const pauseMs = PAUSES_MS[consecutiveFailures - PAUSE_AFTER] ?? MAX_MS;
  // A failure in the future was stamped before the clock was set back.
  return Math.min(lastFailure.at, now) + pauseMs;
}

/** Whether a receiver answered well last; it then gets many deliveries at once. */
export function isTrusted({ consecutiveFailures, lastSuccessAt }: SubscriptionHealth): boolean {
  return consecutiveFailures === 0 && lastSuccessAt !== null;
}

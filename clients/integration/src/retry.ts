import { HubRefusal, HubUnreachable } from "./errors.ts";

export interface RetryOptions {
  /** Total attempts; 1 means no retry. */
  attempts: number;
  /** The first delay. Each further one doubles, up to `longestMs`. Up to half of each delay is random. */
  firstMs: number;
  longestMs: number;
  /** Replaced in tests. */
  sleep(ms: number): Promise<void>;
}

/** In total a little longer than the rolling minute of the hub's rate limits. */
export const defaultRetry: RetryOptions = {
  attempts: 9,
  firstMs: 500,
  longestMs: 16_000,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Retries a call that may succeed later. `isRepeatable`: the call is idempotent. */
export async function withRetry<T>(retry: RetryOptions, isRepeatable: boolean, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt >= retry.attempts || !mayRetry(error, isRepeatable)) throw error;
      const wait = Math.min(retry.longestMs, retry.firstMs * 2 ** (attempt - 1));
      await retry.sleep(wait / 2 + (Math.random() * wait) / 2);
    }
  }
}

/** A call with 429 or 503 was not executed; after 500 or a lost response it may have been. */
function mayRetry(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof HubUnreachable) return isRepeatable;
  if (!(error instanceof HubRefusal)) return false;
  return error.status === 429 || error.status === 503 || (error.status === 500 && isRepeatable);
}

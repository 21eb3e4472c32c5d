import { MINUTE_MS } from "@comanda/protocol";

/** The admitted requests of one subject within the window, oldest first. */
interface Log {
  times: number[];
  /** Index in `times` at which the window begins. */
  first: number;
}

/**
 * Admits at most `max` requests per subject in any `windowMs`; refused ones do not count. Hand-written because the usual
 * limiters use fixed windows and admit up to twice as many across an edge. It stores one number per admitted request and
 * forgets silent subjects, so that many peers cannot fill the memory.
 */
export function createRateLimiter(max: number, monotonic: () => number, windowMs = MINUTE_MS) {
  /** Ordered by last use. */
  const logs = new Map<string, Log>();

  function forgetIdle(now: number): void {
    for (const [subject, { times }] of logs) {
      if ((times.at(-1) ?? 0) > now - windowMs) return;
      logs.delete(subject);
    }
  }

  return {
    admits(subject: string): boolean {
      const now = monotonic();
      forgetIdle(now);
      const log = logs.get(subject) ?? { times: [], first: 0 };
      while (log.first < log.times.length && (log.times[log.first] ?? 0) <= now - windowMs) log.first += 1;
      if (log.times.length - log.first >= max) return false;
      if (log.first > 64 && log.first * 2 > log.times.length) {
        log.times = log.times.slice(log.first);
        log.first = 0;
      }
      log.times.push(now);
      logs.delete(subject);
      logs.set(subject, log);
      return true;
    },
    /** Whether one more would be admitted; does not count it. */
    hasRemaining(subject: string): boolean {
      const since = monotonic() - windowMs;
      const { times, first } = logs.get(subject) ?? { times: [], first: 0 };
      return times.length - first < max || (times[times.length - max] ?? 0) <= since;
    },
    /** Removes the newest request of a subject from the count. */
    giveBack(subject: string): void {
      const log = logs.get(subject);
      if (log !== undefined && log.times.length > log.first) log.times.pop();
    },
    /** How many subjects are remembered, and how many numbers of one subject. */
    size: (): number => logs.size,
    held: (subject: string): number => logs.get(subject)?.times.length ?? 0,
  };
}

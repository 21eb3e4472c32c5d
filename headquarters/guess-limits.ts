import { isIPv6, SocketAddress } from "node:net";
import { Refusal } from "./refusal.ts";

/** Above this, the oldest subject is dropped: strangers can make up any number of them. */
const MAX_SUBJECTS = 10_000;

/** A subject whose wrong guesses are counted, such as a network or a login, and how many of them are checked. */
export type GuessLimit = readonly [subject: string, most: number];

/** Limits wrong passwords and codes within a time window. A restart clears the counts: both are long enough for that. */
export function createGuessLimits(now: () => number, windowMs: number) {
  /** Times of wrong guesses (ms since 1970) by subject, in the order of each subject's latest guess. */
  const wrong = new Map<string, number[]>();
  const recent = (subject: string): number[] => (wrong.get(subject) ?? []).filter((at) => at > now() - windowMs);

  function count(subject: string): void {
    const times = [...recent(subject), now()];
    wrong.delete(subject);
    wrong.set(subject, times);
    const [oldest] = wrong.keys();
    if (wrong.size > MAX_SUBJECTS && oldest !== undefined) wrong.delete(oldest);
  }

  /** Runs `guess`, which resolves with null if it was wrong. Throws TOO_MANY_TRIES if a subject has reached its limit. */
  return async function checkGuess<T>(
    limits: readonly GuessLimit[],
    guess: () => Promise<T | null>,
  ): Promise<T | null> {
    if (limits.some(([subject, most]) => recent(subject).length >= most)) {
      const minutes = windowMs / 60_000;
      throw new Refusal("TOO_MANY_TRIES", `too many wrong passwords or codes: try again in ${minutes} minutes`);
    }
    // Counted before the check, so that parallel guesses cannot exceed the limits.
    for (const [subject] of limits) count(subject);
    let right: T | null | undefined;
    try {
      right = await guess();
      return right;
    } finally {
      if (right !== null) for (const [subject] of limits) wrong.set(subject, recent(subject).slice(0, -1));
    }
  };
}

/** Returns the network of an address: whoever has an IPv6 address has all that share its first half. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // Writes it in the shortest form, without a scope.
  const plain = new SocketAddress({ address, family: "ipv6" }).address;
  const mapped = /^::ffff:(\d+\..*)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail = []] = plain.split("::").map((part) => part.split(":").filter(Boolean));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail].slice(0, 4).join(":");
}

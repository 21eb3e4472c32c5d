/** Above this, the oldest subject is dropped: strangers can make up any number of them. */
const MAX_SUBJECTS = 10_000;

/** Counts wrong guesses within a time window by subject, such as an address or a login. A restart clears the counts. */
export function createWrongGuesses(now: () => number, windowMs: number) {
  /** Times of wrong guesses (ms since 1970) by subject, in the order of each subject's latest guess. */
  const wrong = new Map<string, number[]>();
  const recent = (subject: string): number[] => (wrong.get(subject) ?? []).filter((at) => at > now() - windowMs);

  return {
    count: (subject: string): number => recent(subject).length,
    add(subject: string): void {
      const times = [...recent(subject), now()];
      wrong.delete(subject);
      wrong.set(subject, times);
      const [oldest] = wrong.keys();
      if (wrong.size > MAX_SUBJECTS && oldest !== undefined) wrong.delete(oldest);
    },
    /** Removes the latest guess, which turned out to be right. */
    takeBack: (subject: string): void => void wrong.set(subject, recent(subject).slice(0, -1)),
    forget: (subject: string): void => void wrong.delete(subject),
  };
}

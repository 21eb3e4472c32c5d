/** Beyond that the oldest are forgotten: strangers can name any number of subjects. */
const MOST_SUBJECTS = 10_000;

/** Counts wrong guesses within a window, by what they are counted for: an address, or a login. A restart forgets them. */
export function createWrongGuesses(now: () => number, windowMs: number) {
  /** When each was wrong; in order of the last time. */
  const wrong = new Map<string, number[]>();
  const recent = (subject: string): number[] => (wrong.get(subject) ?? []).filter((at) => at > now() - windowMs);

  return {
    count: (subject: string): number => recent(subject).length,
    add(subject: string): void {
      const times = [...recent(subject), now()];
      wrong.delete(subject);
      wrong.set(subject, times);
      const [oldest] = wrong.keys();
      if (wrong.size > MOST_SUBJECTS && oldest !== undefined) wrong.delete(oldest);
    },
    /** The last one was right. */
    takeBack: (subject: string): void => void wrong.set(subject, recent(subject).slice(0, -1)),
    forget: (subject: string): void => void wrong.delete(subject),
  };
}

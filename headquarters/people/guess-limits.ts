const WINDOW_MS = 15 * 60_000;
const PER_LOGIN = 10;
const PER_ADDRESS = 50;
/** Beyond that the oldest are forgotten: strangers can name any number of logins. */
const MOST_SUBJECTS = 10_000;

/** Counts wrong passwords and codes, by login and by address. Passwords are long enough that a restart may forget them. */
export function createGuessLimits(now: () => number) {
  /** When each was wrong within the window; in order of the last time. */
  const wrong = new Map<string, number[]>();

  function recent(subject: string): number[] {
    return (wrong.get(subject) ?? []).filter((at) => at > now() - WINDOW_MS);
  }
  const subjectsOf = (login: string, address: string) =>
    [
      [`login ${login}`, PER_LOGIN],
      [`address ${address}`, PER_ADDRESS],
    ] as const;

  return {
    /** Whether another guess is judged at all. */
    admits: (login: string, address: string): boolean =>
      subjectsOf(login, address).every(([subject, most]) => recent(subject).length < most),
    /** Counted before the guess is judged, so that many at a time are no way around. */
    count(login: string, address: string): void {
      for (const [subject] of subjectsOf(login, address)) {
        const times = [...recent(subject), now()];
        wrong.delete(subject);
        wrong.set(subject, times);
      }
      for (const subject of wrong.keys()) {
        if (wrong.size <= MOST_SUBJECTS) return;
        wrong.delete(subject);
      }
    },
    /** The guess was right. */
    forgive(login: string, address: string): void {
      wrong.delete(`login ${login}`);
      wrong.set(`address ${address}`, recent(`address ${address}`).slice(0, -1));
    },
  };
}

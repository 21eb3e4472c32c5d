import { Refusal } from "../refusal.ts";

const WINDOW_MS = 15 * 60_000;
const PER_LOGIN = 10;
const PER_ADDRESS = 50;
/** Beyond that the oldest are forgotten: strangers can name any number of logins. */
const MOST_SUBJECTS = 10_000;

/** Counts wrong passwords and codes, by login and by address. Passwords are long enough that a restart may forget them. */
export function createGuessJudge(now: () => number) {
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

  function admits(login: string, address: string): boolean {
    return subjectsOf(login, address).every(([subject, most]) => recent(subject).length < most);
  }

  function count(login: string, address: string): void {
    for (const [subject] of subjectsOf(login, address)) {
      const times = [...recent(subject), now()];
      wrong.delete(subject);
      wrong.set(subject, times);
    }
    for (const subject of wrong.keys()) {
      if (wrong.size <= MOST_SUBJECTS) return;
      wrong.delete(subject);
    }
  }

  /** Judges a guess within the limits; the answer to a wrong one says nothing of why. */
  return async function judge<T>(login: string, address: string, guess: () => Promise<T | null>): Promise<T> {
    if (!admits(login, address)) {
      throw new Refusal("TOO_MANY_TRIES", "too many wrong passwords or codes: wait a quarter of an hour");
    }
    // Counted before it is judged, so that many at a time are no way around.
    count(login, address);
    const right = await guess();
    if (right === null) throw new Refusal("UNAUTHENTICATED", "this does not let you in");
    wrong.delete(`login ${login}`);
    wrong.set(`address ${address}`, recent(`address ${address}`).slice(0, -1));
    return right;
  };
}

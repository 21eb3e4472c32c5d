import { Refusal } from "../refusal.ts";
import { createWrongGuesses } from "../wrong-guesses.ts";

const WINDOW_MS = 15 * 60_000;
const PER_LOGIN = 10;
const PER_ADDRESS = 50;

/** Counts wrong passwords and codes, by login and by address. Passwords are long enough that a restart may forget them. */
export function createGuessJudge(now: () => number) {
  const wrong = createWrongGuesses(now, WINDOW_MS);

  /** Judges a guess within the limits; the answer to a wrong one says nothing of why. */
  return async function judge<T>(login: string, address: string, guess: () => Promise<T | null>): Promise<T> {
    const [byLogin, byAddress] = [`login ${login}`, `address ${address}`];
    if (wrong.count(byLogin) >= PER_LOGIN || wrong.count(byAddress) >= PER_ADDRESS) {
      throw new Refusal("TOO_MANY_TRIES", "too many wrong passwords or codes: wait a quarter of an hour");
    }
    // Counted before it is judged, so that many at a time are no way around.
    wrong.add(byLogin);
    wrong.add(byAddress);
    const right = await guess();
    if (right === null) throw new Refusal("UNAUTHENTICATED", "this does not let you in");
    wrong.forget(byLogin);
    wrong.takeBack(byAddress);
    return right;
  };
}

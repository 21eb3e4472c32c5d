import { Refusal } from "../refusal.ts";
import { createWrongGuesses } from "../wrong-guesses.ts";

const WINDOW_MS = 15 * 60_000;
const PER_LOGIN = 10;
const PER_ADDRESS = 50;

/** Limits wrong passwords and codes by login and address. A restart clears the counts: passwords are long enough for that. */
export function createGuessLimiter(now: () => number) {
  const wrong = createWrongGuesses(now, WINDOW_MS);

  /** Checks a guess. Throws TOO_MANY_TRIES above a limit, and UNAUTHENTICATED without a reason for a wrong guess. */
  return async function checkGuess<T>(login: string, address: string, guess: () => Promise<T | null>): Promise<T> {
    const [byLogin, byAddress] = [`login ${login}`, `address ${address}`];
    if (wrong.count(byLogin) >= PER_LOGIN || wrong.count(byAddress) >= PER_ADDRESS) {
      throw new Refusal("TOO_MANY_TRIES", "too many wrong passwords or codes: wait a quarter of an hour");
    }
    // Counted before the check, so that parallel guesses cannot exceed the limits.
    wrong.add(byLogin);
    wrong.add(byAddress);
    const right = await guess();
    if (right === null) throw new Refusal("UNAUTHENTICATED", "this does not let you in");
    wrong.forget(byLogin);
    wrong.takeBack(byAddress);
    return right;
  };
}

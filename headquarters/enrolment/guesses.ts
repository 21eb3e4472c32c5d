import type { World } from "../world.ts";

const WINDOW_MS = 10 * 60_000;
const MAX_WRONG = 5;
const MAX_ADDRESSES = 10_000;

/** Counts wrong guesses by address: after five, an address waits until ten minutes have passed since its first. */
export function createGuesses({ now }: World) {
  const addresses = new Map<string, { wrong: number; since: number }>();
  const current = (address: string) => {
    const known = addresses.get(address);
    return known !== undefined && now() - known.since < WINDOW_MS ? known : undefined;
  };
  return {
    isLockedOut: (address: string): boolean => (current(address)?.wrong ?? 0) >= MAX_WRONG,
    addWrong(address: string): void {
      const known = current(address);
      addresses.delete(address);
      addresses.set(address, known === undefined ? { wrong: 1, since: now() } : { ...known, wrong: known.wrong + 1 });
      const [oldest] = addresses.keys();
      if (addresses.size > MAX_ADDRESSES && oldest !== undefined) addresses.delete(oldest);
    },
  };
}

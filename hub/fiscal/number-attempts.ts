import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";

/** How long the answer to a payment waits for the number. */
const ANSWER_WAIT_MS = 2_000;

/** What came of an attempt; `no_line`: nothing could be asked at all. */
export type Outcome = "answered" | "unanswered" | "no_line";

/** Asks for one order at a time, however many ask for it. */
export function createNumberAttempts(world: World, carryOut: (posReference: string) => Promise<Outcome>) {
  /** The attempts under way, by reference. */
  const asking = new Map<string, Promise<Outcome>>();

  return {
    ask,
    settled,
    alone,
    stopped: async (): Promise<void> => void (await Promise.all(asking.values())),
  };

  function ask(posReference: string): Promise<Outcome> {
    const underWay = asking.get(posReference);
    if (underWay !== undefined) return underWay;
    const attempt = carryOut(posReference).catch((error: unknown): Outcome => {
      world.log.error({ err: error, posReference }, "what came of a fiscal number could not be stored");
      return "unanswered";
    });
    return occupy(posReference, attempt);
  }

  /** Nothing else is asked for this order until the attempt has ended. */
  function occupy(posReference: string, attempt: Promise<Outcome>): Promise<Outcome> {
    const underWay = attempt.finally(() => asking.delete(posReference));
    asking.set(posReference, underWay);
    return underWay;
  }

  /** Does something for an order while nothing is asked for it. */
  async function alone(posReference: string, work: () => Promise<void>): Promise<void> {
    while (asking.has(posReference)) await asking.get(posReference);
    const done = work();
    const ended = (): Outcome => "answered";
    await Promise.all([done, occupy(posReference, done.then(ended, ended))]);
  }

  /** Waits for the attempt under way, so that most answers carry the number. */
  async function settled(posReference: string): Promise<void> {
    await withTimeout(world, ANSWER_WAIT_MS, asking.get(posReference) ?? Promise.resolve());
  }
}

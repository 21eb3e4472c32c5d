import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";

/** How long the answer to a payment waits for the number. */
const ANSWER_WAIT_MS = 2_000;

/** The outcome of an attempt; `no_line`: the back-office could not be asked at all. */
export type Outcome = "answered" | "unanswered" | "no_line";

/** Runs one attempt per order at a time; concurrent callers share it. */
export function createNumberAttempts(world: World, carryOut: (posReference: string) => Promise<Outcome>) {
  /** The attempts in progress, by reference. */
  const asking = new Map<string, Promise<Outcome>>();

  return {
    ask,
    settled,
    alone,
    stopped: async (): Promise<void> => void (await Promise.all(asking.values())),
  };

  function ask(posReference: string): Promise<Outcome> {
    const pending = asking.get(posReference);
    if (pending !== undefined) return pending;
    const attempt = carryOut(posReference).catch((error: unknown): Outcome => {
      world.log.error({ err: error, posReference }, "what came of a fiscal number could not be stored");
      return "unanswered";
    });
    return occupy(posReference, attempt);
  }

  /** Blocks other attempts for this order until this one has ended. */
  function occupy(posReference: string, attempt: Promise<Outcome>): Promise<Outcome> {
    const underWay = attempt.finally(() => asking.delete(posReference));
    asking.set(posReference, underWay);
    return underWay;
  }

  /** Runs `work` for an order while no attempt is in progress. */
  async function alone(posReference: string, work: () => Promise<void>): Promise<void> {
    while (asking.has(posReference)) await asking.get(posReference);
    const done = work();
    const ended = (): Outcome => "answered";
    await Promise.all([done, occupy(posReference, done.then(ended, ended))]);
  }

  /** Waits for the attempt in progress, so that most answers have the number. */
  async function settled(posReference: string): Promise<void> {
    await withTimeout(world, ANSWER_WAIT_MS, asking.get(posReference) ?? Promise.resolve());
  }
}

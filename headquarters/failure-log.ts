import type { Logger } from "pino";

export type FailureLog = ReturnType<typeof createFailureLog>;

/** What is tried again and again says in the log when it begins to fail and when that is over, and nothing between. */
export function createFailureLog(log: Logger, said: { fails: string; worksAgain: string }) {
  let isFailing = false;
  return {
    failed(error: unknown): void {
      if (!isFailing) log.warn({ err: error }, said.fails);
      isFailing = true;
    },
    worked(): void {
      if (isFailing) log.info(said.worksAgain);
      isFailing = false;
    },
  };
}

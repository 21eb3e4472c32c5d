import type { Logger } from "pino";

export type FailureLog = ReturnType<typeof createFailureLog>;

/** Logs when a repeated operation begins to fail and when it works again, and nothing in between. */
export function createFailureLog(log: Logger, messages: { fails: string; worksAgain: string }) {
  let isFailing = false;
  return {
    failed(error: unknown): void {
      if (!isFailing) log.warn({ err: error }, messages.fails);
      isFailing = true;
    },
    worked(): void {
      if (isFailing) log.info(messages.worksAgain);
      isFailing = false;
    },
  };
}

import { stat } from "node:fs/promises";

const EVERY_MS = 200;

/** Why a download was given up. */
export type GrowthProblem = "too-large" | "stalled";

/** Watches a file that is being written; calls `giveUp` once, when it exceeds `maxBytes` or stops growing for `stallMs`. */
export function watchGrowth(
  file: string,
  { maxBytes, stallMs, giveUp }: { maxBytes: number; stallMs: number; giveUp: () => void },
): { problem(): GrowthProblem | undefined; end(): void } {
  let problem: GrowthProblem | undefined;
  let bytes = 0;
  // Looks are counted, not the time between them: a PC that was asleep has not waited.
  let looksWithoutGrowth = 0;

  const look = (size: number) => {
    looksWithoutGrowth = size > bytes ? 0 : looksWithoutGrowth + 1;
    bytes = size;
    if (problem !== undefined) return;
    if (size > maxBytes) problem = "too-large";
    else if (looksWithoutGrowth * EVERY_MS >= stallMs) problem = "stalled";
    if (problem !== undefined) giveUp();
  };
  const timer = setInterval(() => {
    stat(file).then(
      ({ size }) => look(size),
      // The file does not exist yet.
      () => look(0),
    );
  }, EVERY_MS);
  return { problem: () => problem, end: () => clearInterval(timer) };
}

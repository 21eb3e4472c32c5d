import { stat } from "node:fs/promises";

const EVERY_MS = 200;

/** Why a download was aborted. */
export type GrowthProblem = "too-large" | "stalled";

/** Watches a file being written. Calls `giveUp` once, if it exceeds `maxBytes` or stops growing for `stallMs`. */
export function watchGrowth(
  file: string,
  { maxBytes, stallMs, giveUp }: { maxBytes: number; stallMs: number; giveUp: () => void },
): { problem(): GrowthProblem | undefined; end(): void } {
  let problem: GrowthProblem | undefined;
  let bytes = 0;
  // Counts checks instead of measuring time: a sleeping PC has not waited.
  let checksWithoutGrowth = 0;

  const checkSize = (size: number) => {
    checksWithoutGrowth = size > bytes ? 0 : checksWithoutGrowth + 1;
    bytes = size;
    if (problem !== undefined) return;
    if (size > maxBytes) problem = "too-large";
    else if (checksWithoutGrowth * EVERY_MS >= stallMs) problem = "stalled";
    if (problem !== undefined) giveUp();
  };
  const timer = setInterval(() => {
    stat(file).then(
      ({ size }) => checkSize(size),
      // The file does not exist yet.
      () => checkSize(0),
    );
  }, EVERY_MS);
  return { problem: () => problem, end: () => clearInterval(timer) };
}

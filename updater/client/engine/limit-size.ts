import { stat } from "node:fs/promises";

const everyMs = 200;

/** Watches a file that is being written and calls `onTooLarge` once it passes `maxBytes`. */
export function limitSize(
  file: string,
  maxBytes: number,
  onTooLarge: () => void,
): { exceeded(): boolean; end(): void } {
  let exceeded = false;
  const timer = setInterval(() => {
    stat(file).then(
      ({ size }) => {
        if (size <= maxBytes || exceeded) return;
        exceeded = true;
        onTooLarge();
      },
      // Not there yet.
      () => undefined,
    );
  }, everyMs);
  return { exceeded: () => exceeded, end: () => clearInterval(timer) };
}

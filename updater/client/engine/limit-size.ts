import { stat } from "node:fs/promises";

const everyMs = 200;

/** Watches a growing file and calls `onTooLarge` once it exceeds `maxBytes`. */
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
      // The file does not exist yet.
      () => undefined,
    );
  }, everyMs);
  return { exceeded: () => exceeded, end: () => clearInterval(timer) };
}

import { expect } from "vitest";
import type { Part } from "./part.ts";
import { runPart } from "./run-part.ts";

/** A fixed seed; `npm run test:faults` can run with others. */
const SEED = "comanda";
/** How long the short form of a part may take on a busy machine. */
export const PART_MS = 240_000;

/** Runs the short form of a part; fails with all of its findings. */
export async function expectNothing(part: Part): Promise<void> {
  const { findings, rounds, operations } = await runPart(part, { seed: SEED, rounds: part.rounds.short });
  // As text, because an assertion on a list would show only its first words.
  if (findings.length > 0) {
    throw new Error(
      findings
        .map(({ round, kind, description, count }) => `round ${round}: ${count} ${kind}: ${description}`)
        .join("\n"),
    );
  }
  expect({ rounds, isWorking: operations > 0 }).toEqual({ rounds: part.rounds.short, isWorking: true });
}

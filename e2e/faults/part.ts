import type { Random } from "./random.ts";

/** Every kind of finding, in the order of the table. */
export const findingKinds = ["lost", "doubled", "hidden", "stuck", "broken"] as const;

/**
 * `lost`: acknowledged and missing without a warning, or paid and never in the back-office. `doubled`: took effect twice, or a
 * number assigned twice. `hidden`: damaged, behind, empty or failing to write while serving as if all were well, or ending
 * without one plain sentence. `stuck`: waiting forever to be decided, offered or forwarded. `broken`: the round itself failed.
 */
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  kind: FindingKind;
  description: string;
  count: number;
}

/** One round of a part. */
export interface Round {
  index: number;
  /** Yields the same numbers for the same seed, part and round. */
  random: Random;
  /** An empty folder, removed after the round. */
  folder: string;
  /** Adds to the count of mutations, requests or starts that the round carried out. */
  addOperations(operations: number): void;
  report(kind: FindingKind, description: string, count?: number): void;
}

export interface OpenPart {
  run(round: Round): Promise<void>;
  close(): Promise<void>;
}

/** A family of faults. */
export interface Part {
  name: string;
  /** Number of rounds in the long and the short form. */
  rounds: { long: number; short: number };
  /** Number of rounds that run concurrently. */
  concurrency: number;
  /** Starts what the `rounds` rounds share; `folder` is removed after the part. */
  open(shared: { rounds: number; folder: string; random: Random }): Promise<OpenPart>;
}

/** Reports the differences of each kind as one finding that describes the first of them. */
export function reportDifferences(
  round: Round,
  description: string,
  differences: readonly { kind: FindingKind; description: string; count: number }[],
): void {
  for (const [kind, list] of Map.groupBy(differences, (difference) => difference.kind)) {
    const count = list.reduce((sum, each) => sum + each.count, 0);
    const more = list.length === 1 ? "" : ` (and ${list.length - 1} more)`;
    round.report(kind, `${description}: ${list[0]?.description}${more}`, count);
  }
}

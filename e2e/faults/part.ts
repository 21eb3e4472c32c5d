import type { Random } from "./random.ts";

/** Every kind of finding, in the order of the table. */
export const findingKinds = ["lost", "doubled", "hidden", "stuck", "broken"] as const;

/**
 * `lost`: acknowledged, not there, and nothing was said; or paid and never in the back-office. `doubled`: took effect
 * twice, or a number assigned twice. `hidden`: damaged, behind, empty or failing to write, and serving as if all were
 * well, or ending in anything but one plain sentence. `stuck`: waiting for ever, to be decided, offered or forwarded.
 * `broken`: the round itself could not be carried out.
 */
export type FindingKind = (typeof findingKinds)[number];

export interface Finding {
  kind: FindingKind;
  what: string;
  count: number;
}

/** One round of a part. */
export interface Round {
  index: number;
  /** Comes out the same for the same seed, part and round. */
  random: Random;
  /** An empty folder, removed after the round. */
  folder: string;
  /** Counts mutations, requests or starts that the round carried out. */
  worked(operations: number): void;
  found(kind: FindingKind, what: string, count?: number): void;
}

export interface OpenPart {
  run(round: Round): Promise<void>;
  close(): Promise<void>;
}

/** A family of faults. */
export interface Part {
  name: string;
  /** How many rounds the two forms run. */
  rounds: { long: number; short: number };
  /** How many rounds run at the same time. */
  atOnce: number;
  /** Starts what the rounds share; `rounds` are to come; `folder` is removed after the part. */
  open(shared: { rounds: number; folder: string; random: Random }): Promise<OpenPart>;
}

/** Reports the differences of each kind as one finding that describes the first. */
export function foundAll(
  round: Round,
  what: string,
  differences: readonly { kind: FindingKind; what: string; count: number }[],
): void {
  for (const [kind, list] of Map.groupBy(differences, (difference) => difference.kind)) {
    const count = list.reduce((sum, each) => sum + each.count, 0);
    const more = list.length === 1 ? "" : ` (and ${list.length - 1} more)`;
    round.found(kind, `${what}: ${list[0]?.what}${more}`, count);
  }
}

import { isDeepStrictEqual } from "node:util";
import type { EveningLedger } from "../../../hub/test/data-file/restore-evening.ts";
import type { FindingKind } from "../part.ts";

type Check = EveningLedger["checks"][string];

export interface EveningDifference {
  kind: FindingKind;
  description: string;
  count: number;
}

/**
 * Returns what a hub lacks or has in excess after an evening: dishes by name over all checks, as ordered, sent, prepared and
 * left to cook, and the money of each check. If everything exists, but not where or as it was, that is `hidden`. Money that
 * newly waits for a manager is `stuck`.
 */
export function compareEvenings(before: EveningLedger, after: EveningLedger): EveningDifference[] {
  const differences: EveningDifference[] = [];
  const reported = new Set<string>();
  const compare = (subject: string, measure: string, had: number, has: number): void => {
    if (had === has) return;
    reported.add(subject);
    const kind = has < had ? "lost" : "doubled";
    differences.push({
      kind,
      description: `${subject}: ${measure} ${has} instead of ${had}`,
      count: Math.abs(had - has),
    });
  };

  const [dishesBefore, dishesAfter] = [dishesOf(before), dishesOf(after)];
  for (const dish of namesIn(dishesBefore, dishesAfter)) {
    const [had, has] = [dishesBefore[dish] ?? NOTHING, dishesAfter[dish] ?? NOTHING];
    for (const [index, state] of STATES.entries()) compare(dish, state, had[index] ?? 0, has[index] ?? 0);
  }
  for (const dish of namesIn(before.toCook, after.toCook)) {
    compare(dish, "left to cook", before.toCook[dish] ?? 0, after.toCook[dish] ?? 0);
  }
  for (const posReference of namesIn(before.checks, after.checks)) {
    compare(posReference, "paid", paidOf(before.checks[posReference]), paidOf(after.checks[posReference]));
  }
  compare("the register", "pesos", before.takings.paidAmount, after.takings.paidAmount);
  compare("the register", "paid checks", before.takings.paidOrders, after.takings.paidOrders);

  const note = (kind: FindingKind, description: string): void => void differences.push({ kind, description, count: 1 });
  for (const posReference of namesIn(before.checks, after.checks)) {
    const [was, is] = [before.checks[posReference], after.checks[posReference]];
    const isReported = [posReference, ...namesOn(was), ...namesOn(is)].some((name) => reported.has(name));
    if (isReported || isDeepStrictEqual(was, is)) continue;
    note(
      "hidden",
      `${posReference} ${is === undefined ? "is not there" : "is not as it was"}, though all of it is there`,
    );
  }
  for (const posReference of missing(before.unapplied, after.unapplied)) {
    note("lost", `the payment of ${posReference} that waited for a manager`);
  }
  for (const posReference of missing(after.unapplied, before.unapplied)) {
    note("stuck", `a payment of ${posReference} waits for a manager`);
  }
  return differences;
}

/** Returns the evening without checks that the back-office has booked as paid: an empty hub does not need them. */
export function withoutBooked(
  before: EveningLedger,
  after: EveningLedger,
  booked: ReadonlyMap<string, number>,
): EveningLedger {
  const isBooked = ([posReference, { isPaid, total }]: [string, Check]): boolean =>
    !(posReference in after.checks) && isPaid && booked.get(posReference) === total;
  const checks = Object.fromEntries(Object.entries(before.checks).filter((each) => !isBooked(each)));
  // Their takings are already in accounting.
  return { ...before, checks, takings: after.takings };
}

const STATES = ["ordered", "sent", "prepared"] as const;
const NOTHING: readonly number[] = [0, 0, 0];

/** Returns by name how much of each dish was ordered, sent and prepared, over all checks. */
function dishesOf({ checks }: EveningLedger): Record<string, number[]> {
  const dishes: Record<string, number[]> = {};
  for (const { lines } of Object.values(checks)) {
    for (const [name, ...quantities] of Object.values(lines)) {
      const sums = dishes[String(name)] ?? NOTHING;
      dishes[String(name)] = STATES.map((_, index) => (sums[index] ?? 0) + Number(quantities[index] ?? 0));
    }
  }
  return dishes;
}

function namesOn(check: Check | undefined): string[] {
  return Object.values(check?.lines ?? {}).map(([name]) => String(name));
}

function paidOf(check: Check | undefined): number {
  return (check?.paid ?? []).reduce((sum, amount) => sum + amount, 0);
}

function namesIn(...records: Record<string, unknown>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function missing(from: readonly string[], present: readonly string[]): string[] {
  return from.filter((each) => !present.includes(each));
}

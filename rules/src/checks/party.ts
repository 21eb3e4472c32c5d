import type { Snapshot, TerminalSnapshot } from "@comanda/protocol";
import { sum } from "../money/amounts.ts";
import type { ServiceState } from "../state.ts";
import { seatedSince } from "./seated-since.ts";

type OfParty = Pick<Snapshot, "partyId" | "posReference" | "tableId" | "seatedAt" | "createdAt">;

/** Whose check it is: the parts of one that was split have the same party, and each names all of its guests. */
export function partyOf(check: OfParty): string {
  return check.partyId ?? `${check.tableId ?? check.posReference} ${seatedSince(check)}`;
}

/** What a check has from others of its write. */
export interface Origins {
  /** Those that the lines of a new check come from, and those that are merged into a check. */
  checks: readonly Snapshot[];
  /** Those of them whose guests it names. */
  parties: readonly Snapshot[];
  /** It is one of the parts of a check: others name its guests, too. */
  isPart: boolean;
}

/**
 * The origins of each check of a write. One that is merged into several brings its guests to the first; dishes that go to a
 * check that is there bring nobody along, and make its party no older.
 */
export function originsOf(
  { order }: Pick<ServiceState, "order">,
  contents: readonly { posReference: string; snapshot: TerminalSnapshot }[],
  merges: ReadonlyMap<string, readonly string[]>,
): (posReference: string) => Origins {
  const asked = new Map(contents.map(({ posReference, snapshot }) => [posReference, snapshot]));
  const present = contents.flatMap(({ posReference }) => order(posReference)?.snapshot ?? []);
  const parts = new Set<string>();
  const found = new Map(
    [...asked].map(([posReference, { lines = [], guestCount = 1 }]) => {
      if (order(posReference) !== null) {
        const merged = present.filter((check) => merges.get(check.posReference)?.[0] === posReference);
        return [posReference, { checks: merged, parties: merged }];
      }
      const ids = new Set(lines.map(({ id, splitOf = id }) => splitOf));
      const checks = present.filter((check) => check.lines.some(({ id }) => ids.has(id)));
      // Guests whom an origin no longer names have gone along, and are a party of their own.
      const parties = checks.filter(
        (check) => check.guestCount - (asked.get(check.posReference)?.guestCount ?? check.guestCount) < guestCount,
      );
      for (const each of [...parties, { posReference }]) parts.add(each.posReference);
      return [posReference, { checks, parties }];
    }),
  );
  return (posReference) => ({
    ...(found.get(posReference) ?? { checks: [], parties: [] }),
    isPart: parts.has(posReference),
  });
}

/**
 * Whose check it is after a write, and for how many guests: as many as its writer names, else those of all checks that it is
 * made of, which add up but for the ones of one party or table.
 */
export function nextParty(
  asked: number | undefined,
  before: Snapshot | undefined,
  { parties, isPart }: Pick<Origins, "parties" | "isPart">,
): Pick<Snapshot, "guestCount" | "partyId"> {
  const checks = before === undefined ? parties : [before, ...parties];
  const [first] = checks;
  if (first === undefined) return { guestCount: asked ?? 1 };
  const known = checks.find((check) => check.partyId !== undefined)?.partyId;
  const partyId = known ?? (isPart ? first.posReference : undefined);
  return {
    guestCount: asked ?? guestsTogether(checks, first),
    ...(partyId !== undefined && { partyId }),
  };
}

function guestsTogether(checks: readonly Snapshot[], first: Snapshot): number {
  const guests = new Map<string, number>();
  for (const check of checks) {
    const isBeside = check.tableId !== null && check.tableId === first.tableId;
    const party = partyOf(isBeside ? first : check);
    guests.set(party, Math.max(check.guestCount, guests.get(party) ?? 0));
  }
  return sum([...guests.values()]);
}
